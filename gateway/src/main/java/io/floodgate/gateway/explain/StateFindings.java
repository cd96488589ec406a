package io.floodgate.gateway.explain;

import io.floodgate.gateway.explain.Advice.Action;
import io.floodgate.topics.json.JsonOut;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What operators, workers and limits have decided about a queue as a whole. */
final class StateFindings {
    private StateFindings() {}

    static final String MAINTENANCE_PATH = "/ojs/v1/admin/system/maintenance";

    static @Nullable Finding maintenance(QueueStanding queue) {
        return maintenance(queue.facts(), queue.now(), QueueCode.MAINTENANCE);
    }

    static @Nullable Finding maintenance(Facts facts, Instant now, FindingCode code) {
        if (!facts.flag("maintenance")) return null;
        Instant since = facts.time("maintenance_since");
        Instant until = facts.time("maintenance_until");
        String reason = facts.text("maintenance_reason");
        String end = until == null ? "" : " It is expected to end at %s.".formatted(Words.time(until, now));
        return new Finding(
                code,
                Severity.WARNING,
                since,
                "The server is in maintenance%s".formatted(reason == null ? "" : ": " + reason),
                "No queue hands out jobs until maintenance ends.%s".formatted(end),
                new Evidence().with("reason", reason).with("until", until),
                List.of(Advice.of(
                        "End the maintenance.",
                        new Action(
                                "system.maintenance",
                                "POST",
                                MAINTENANCE_PATH,
                                "{\"enabled\":false}",
                                Action.REVERSIBLE))));
    }

    static @Nullable Finding draining(QueueStanding queue) {
        if (!queue.isDraining()) return null;
        Facts deletion = queue.facts().inside("deletion");
        String strategy = String.valueOf(deletion.text("strategy"));
        Double seconds = queue.leaves() > 0 ? (Double) (queue.depth() / queue.leaves()) : null;
        String left = seconds == null
                ? "No job has left it for 5 min."
                : "At the present rate it is empty in about %s.".formatted(Words.seconds(seconds));
        return new Finding(
                QueueCode.DRAINING,
                Severity.INFO,
                deletion.time("since"),
                "Queue '%s' is being deleted (%s): %s left"
                        .formatted(queue.name(), strategy, Words.count(queue.depth(), "job")),
                "It takes no new jobs. " + left,
                new Evidence()
                        .with("strategy", strategy)
                        .with("target_queue", deletion.text("target_queue"))
                        .with("left", queue.depth())
                        .with("drains_per_second", queue.leaves()),
                List.of(Advice.say("Wait; or delete it with the strategy 'discard' or 'move' to end it at once.")));
    }

    static @Nullable Finding paused(QueueStanding queue) {
        if (!queue.isPaused() || queue.isDraining()) return null;
        Facts facts = queue.facts();
        String by = facts.text("paused_by");
        String reason = facts.text("paused_reason");
        boolean holdsUp = queue.isFull() || queue.blocked() > 0;
        Severity severity = queue.available() == 0 ? Severity.INFO : holdsUp ? Severity.PROBLEM : Severity.WARNING;
        Instant since = facts.time("paused_at");
        List<String> text = new ArrayList<>();
        text.add("%s%s%s."
                .formatted(
                        by == null ? "It was paused" : "Key '%s' paused it".formatted(by),
                        since == null ? "" : " at " + queue.shownAt(since),
                        reason == null ? ", without a reason" : ": " + reason));
        if (queue.blocked() > 0) text.add("%s for capacity meanwhile.".formatted(Words.producersWait(queue.blocked())));
        else if (queue.isFull()) text.add("It is full, so new jobs are turned away or dropped.");
        return new Finding(
                QueueCode.PAUSED,
                severity,
                since,
                "Queue '%s' is paused: %s".formatted(queue.name(), waitingJobs(queue.available())),
                String.join(" ", text),
                new Evidence()
                        .with("paused_by", by)
                        .with("reason", reason)
                        .with("available", queue.available())
                        .with("waiting_producers", queue.blocked() == 0 ? null : (Object) queue.blocked()),
                List.of(Advice.of("Resume the queue.", resume(queue))));
    }

    static Action resume(QueueStanding queue) {
        return new Action("queue.resume", "POST", queue.path() + "/resume", null, Action.REVERSIBLE);
    }

    static Action pause(QueueStanding queue, String reason) {
        String body =
                new JsonOut().beginObject().field("reason", reason).endObject().toString();
        return new Action("queue.pause", "POST", queue.path() + "/pause", body, Action.REVERSIBLE);
    }

    static String waitingJobs(long jobs) {
        return switch ((int) Math.min(jobs, 2)) {
            case 0 -> "no job waits";
            case 1 -> "1 job waits";
            default -> Words.number(jobs) + " jobs wait";
        };
    }

    static @Nullable Finding limitStopped(QueueStanding queue) {
        Facts held = queue.facts().inside("held");
        if (!LimitWords.isStopped(held)) return null;
        return new Finding(
                QueueCode.LIMIT_STOPPED,
                Severity.PROBLEM,
                null,
                "The concurrency of queue '%s' is 0: no job starts".formatted(queue.name()),
                "It was set to 0 in the configuration of the queue, or by an override of the key 'queue:%s'. %s."
                        .formatted(queue.name(), Words.capital(waitingJobs(queue.available()))),
                new Evidence().with("concurrency", 0L).with("available", queue.available()),
                List.of(Advice.read(
                        "Set 'concurrency' in PUT %s/config, or end the override of the key 'queue:%s'."
                                .formatted(queue.path(), queue.name()),
                        "docs/reference/http-api.md")));
    }

    static @Nullable Finding limitFrozen(QueueStanding queue) {
        Facts held = queue.facts().inside("held");
        Instant until = held.time("until");
        if (!"adjusted".equals(held.text("strategy")) || until == null) return null;
        return new Finding(
                QueueCode.LIMIT_FROZEN,
                Severity.WARNING,
                null,
                "A worker stopped queue '%s' until %s".formatted(queue.name(), queue.shownAt(until)),
                "The service behind its jobs asked to wait, and the worker reported it. %s."
                        .formatted(Words.capital(waitingJobs(queue.available()))),
                new Evidence().with("until", until).with("available", queue.available()),
                List.of(Advice.say("Wait until then, or ask the operator of that service.")));
    }
}
