package io.floodgate.gateway.explain;

import io.floodgate.gateway.explain.Advice.Action;
import io.floodgate.gateway.explain.QueueStanding.LostWorker;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Why the jobs of a queue do not get to workers, or stay there. */
final class DeliveryFindings {
    private static final String NOT_RUN = "docs/how-to/runbooks/job-does-not-run.md";
    private static final String LOST = "docs/how-to/runbooks/worker-lost.md";

    private DeliveryFindings() {}

    static @Nullable Finding nobodyFetches(QueueStanding queue) {
        if (!queue.handsOut() || queue.available() == 0 || queue.isFetched()) return null;
        Instant last = queue.fetchedAt();
        String title = last == null
                ? "No worker has ever fetched from queue '%s'".formatted(queue.name())
                : "No worker has fetched from queue '%s' for %s".formatted(queue.name(), queue.ago(last));
        return new Finding(
                QueueCode.NOBODY_FETCHES,
                Severity.PROBLEM,
                last == null ? queue.oldest() : last,
                "%s: %s".formatted(title, StateFindings.waitingJobs(queue.available())),
                "%s. No fetch waits for them now."
                        .formatted(
                                queue.active() == 0
                                        ? "None of its jobs runs"
                                        : "%s still run".formatted(Words.number(queue.active()))),
                new Evidence()
                        .with("available", queue.available())
                        .with("oldest_available_at", queue.oldest())
                        .with("last_fetched_at", last)
                        .with("active", queue.active()),
                List.of(Advice.read(
                        "Start workers that fetch queue '%s'. If some run, check that they name this queue."
                                .formatted(queue.name()),
                        NOT_RUN)));
    }

    static @Nullable Finding typesNotFetched(QueueStanding queue) {
        if (!queue.handsOut() || !queue.isFetched()) return null;
        List<Facts> types = thatWait(queue, "types_not_fetched");
        if (types.isEmpty()) return null;
        Facts first = types.getFirst();
        String type = String.valueOf(first.text("type"));
        long jobs = types.stream().mapToLong(each -> each.number("jobs")).sum();
        String more = types.size() == 1 ? "" : " and %s".formatted(Words.count(types.size() - 1L, "other type"));
        String excluder = excluder(queue, type);
        List<Advice> advice = new ArrayList<>();
        if (excluder != null)
            advice.add(Advice.read(
                    "Look at worker '%s': it leaves out '%s', perhaps because its circuit breaker is open."
                            .formatted(excluder, type),
                    NOT_RUN));
        advice.add(Advice.say("Start workers that take jobs of type '%s'.".formatted(type)));
        return new Finding(
                QueueCode.TYPES_NOT_FETCHED,
                Severity.PROBLEM,
                first.time("oldest_available_at"),
                "No worker asks for jobs of type '%s'%s in queue '%s'".formatted(type, more, queue.name()),
                "Workers fetch from the queue, but none has asked for %s for 2 min. %s of the first %s in line."
                        .formatted(
                                types.size() == 1 ? "this type" : "these types",
                                Words.capital(isOrAre(jobs)),
                                Words.number(queue.facts().inside("ready").number("sampled"))),
                new Evidence()
                        .with(
                                "types",
                                types.stream().map(DeliveryFindings::unfetched).toList())
                        .with("window_seconds", Thresholds.FETCHED_LATELY.toSeconds()),
                advice);
    }

    private static List<Facts> thatWait(QueueStanding queue, String kind) {
        Instant before = queue.now().minus(Thresholds.TYPE_WAITS);
        return queue.facts().inside("ready").list(kind).stream()
                .filter(each -> {
                    Instant oldest = each.time("oldest_available_at");
                    return oldest != null && !oldest.isAfter(before);
                })
                .toList();
    }

    static @Nullable Finding versionsNotAccepted(QueueStanding queue) {
        if (!queue.handsOut() || !queue.isFetched()) return null;
        List<Facts> versions = thatWait(queue, "versions_not_accepted");
        if (versions.isEmpty()) return null;
        Facts first = versions.getFirst();
        String version = String.valueOf(first.text("version"));
        String type = String.valueOf(first.text("type"));
        long jobs = versions.stream().mapToLong(each -> each.number("jobs")).sum();
        String more =
                versions.size() == 1 ? "" : " and %s".formatted(Words.count(versions.size() - 1L, "other version"));
        return new Finding(
                QueueCode.VERSIONS_NOT_ACCEPTED,
                Severity.PROBLEM,
                first.time("oldest_available_at"),
                "No worker accepts version %s of jobs of type '%s'%s in queue '%s'"
                        .formatted(version, type, more, queue.name()),
                "Workers ask for the type, but none has accepted the version for 2 min. %s such a version, out of the first %s in line."
                        .formatted(
                                jobs == 1 ? "1 job has" : "%s jobs have".formatted(Words.number(jobs)),
                                Words.number(queue.facts().inside("ready").number("sampled"))),
                new Evidence()
                        .with(
                                "versions",
                                versions.stream()
                                        .map(each -> unfetched(each).with("version", each.text("version")))
                                        .toList())
                        .with("window_seconds", Thresholds.FETCHED_LATELY.toSeconds()),
                List.of(Advice.read(
                        "Start workers that accept version %s of '%s'.".formatted(version, type),
                        "docs/how-to/deploy-new-arguments.md")));
    }

    private static String isOrAre(long jobs) {
        return jobs == 1
                ? "1 job is of such a type, out"
                : "%s jobs are of such types, out".formatted(Words.number(jobs));
    }

    private static Evidence unfetched(Facts type) {
        return new Evidence()
                .with("type", type.text("type"))
                .with("jobs", type.number("jobs"))
                .with("oldest_available_at", type.time("oldest_available_at"))
                .with("job_id", type.text("job_id"));
    }

    /** A worker that would take the type, did it not leave it out. */
    private static @Nullable String excluder(QueueStanding queue, String type) {
        for (Facts wanted : queue.facts().list("fetched_types"))
            if (wanted.texts("exclude_types").contains(type) && wanted.has("worker_id"))
                return wanted.text("worker_id");
        return null;
    }

    static @Nullable Finding starved(QueueStanding queue) {
        boolean isPassedOver = queue.facts().flag("passed_over") && queue.waitingFetches() == 0;
        if (!queue.handsOut() || !isPassedOver || queue.facts().has("held")) return null;
        if (!queue.hasWaited(Thresholds.WAITS_LONG)) return null;
        Instant reached = queue.facts().time("last_reached_at");
        String last = reached == null
                ? "None has got as far as it yet"
                : "The last one that got as far as it was %s ago".formatted(queue.ago(reached));
        return new Finding(
                QueueCode.STARVED,
                Severity.WARNING,
                reached == null ? queue.oldest() : reached,
                "Workers get jobs of other queues before they come to queue '%s'".formatted(queue.name()),
                "Fetches name this queue, and queues that they name first had jobs. %s; %s."
                        .formatted(last, StateFindings.waitingJobs(queue.available())),
                new Evidence()
                        .with("last_reached_at", reached)
                        .with("last_fetched_at", queue.fetchedAt())
                        .with("oldest_available_at", queue.oldest())
                        .with("window_seconds", Thresholds.FETCHED_LATELY.toSeconds()),
                List.of(
                        Advice.read(
                                "Name queue '%s' earlier in the fetches of some workers.".formatted(queue.name()),
                                NOT_RUN),
                        Advice.say("Or give it workers of its own.")));
    }

    static @Nullable Finding heldByLimits(QueueStanding queue) {
        if (!queue.handsOut() || queue.available() == 0) return null;
        Facts held = queue.facts().inside("held");
        boolean isOwn =
                held.has("strategy") && !"adjusted".equals(held.text("strategy")) && !LimitWords.isStopped(held);
        Facts limited = queue.facts().inside("limited");
        boolean areKeys = limited.number("jobs") > Thresholds.MOST_OF_DEPTH * queue.available();
        if (!isOwn && !areKeys) return null;
        Facts first = isOwn || limited.list("first").isEmpty()
                ? held
                : limited.list("first").getFirst();
        String key = isOwn ? "queue:" + queue.name() : String.valueOf(first.text("key"));
        long jobs = isOwn ? queue.available() : limited.number("jobs");
        String others = isOwn || limited.number("count") <= 1
                ? ""
                : " and %s".formatted(Words.count(limited.number("count") - 1, "other key"));
        boolean isLong = queue.hasWaited(Thresholds.WAITS_LONG) || LimitWords.isStopped(first);
        return new Finding(
                QueueCode.HELD_BY_LIMITS,
                isLong ? Severity.PROBLEM : Severity.INFO,
                null,
                "Rate limits hold back %s of queue '%s': key '%s'%s"
                        .formatted(Words.count(jobs, "job"), queue.name(), key, others),
                "Key '%s': %s.".formatted(key, LimitWords.held(first, queue.now())),
                new Evidence()
                        .with("limited_jobs", jobs)
                        .with("available", queue.available())
                        .with("oldest_available_at", queue.oldest()),
                List.of(Advice.read(
                        "See who holds it: ./floodgate why limit %s. If the limit is too low, raise it.".formatted(key),
                        "docs/reference/http-api.md")));
    }

    static @Nullable Finding workersLost(QueueStanding queue) {
        if (queue.lost().isEmpty()) return null;
        long jobs = queue.lost().stream().mapToLong(LostWorker::jobs).sum();
        if (queue.active() > jobs) return null;
        LostWorker last =
                queue.lost().stream().max(Comparator.comparing(LostWorker::at)).orElseThrow();
        String who = queue.lost().size() == 1
                ? "Worker '%s' was lost".formatted(last.worker())
                : "%s workers were lost".formatted(Words.number(queue.lost().size()));
        return new Finding(
                QueueCode.WORKERS_LOST,
                Severity.PROBLEM,
                last.at(),
                "%s with %s of queue '%s'".formatted(who, Words.count(jobs, "job"), queue.name()),
                "They fell silent within the last 10 min, and their jobs were given to others or failed. %s now."
                        .formatted(Words.jobsRun(queue.active())),
                new Evidence()
                        .with(
                                "workers",
                                queue.lost().stream()
                                        .limit(10)
                                        .map(one -> new Evidence()
                                                .with("worker_id", one.worker())
                                                .with("at", one.at())
                                                .with("jobs", one.jobs()))
                                        .toList())
                        .with("active", queue.active())
                        .with("window_seconds", Thresholds.WORKERS_LOST.toSeconds()),
                List.of(Advice.read("See why they ended, and start others.", LOST)));
    }

    static @Nullable Finding stuck(QueueStanding queue) {
        if (queue.active() == 0 || queue.recentRuns() > 0 || queue.runs().isEmpty()) return null;
        Facts longest = queue.runs().getFirst();
        Instant started = longest.time("started_at");
        if (started == null) return null;
        Duration runs = Duration.between(started, queue.now());
        Duration average = Duration.ofMillis(queue.averageRunMillis());
        Duration usual = average.multipliedBy(Thresholds.STUCK_TIMES);
        Duration limit = average.isZero()
                ? Thresholds.STUCK_UNKNOWN
                : usual.compareTo(Thresholds.STUCK_MIN) > 0 ? usual : Thresholds.STUCK_MIN;
        if (runs.compareTo(limit) <= 0) return null;
        String job = String.valueOf(longest.text("job_id"));
        String worker = longest.text("worker_id");
        Instant timeout = longest.time("timeout_at");
        return new Finding(
                QueueCode.STUCK,
                Severity.PROBLEM,
                started,
                "%s of queue '%s', and none has ended for 5 min".formatted(Words.jobsRun(queue.active()), queue.name()),
                "The longest has run for %s%s; %s."
                        .formatted(
                                Words.duration(runs),
                                worker == null ? "" : " at worker '%s'".formatted(worker),
                                average.isZero()
                                        ? "no run of the last hour shows how long it should take"
                                        : "the average is %s".formatted(Words.duration(average))),
                new Evidence()
                        .with("active", queue.active())
                        .with("longest_run_seconds", runs.toSeconds())
                        .with("avg_duration_ms", average.isZero() ? null : (Object) average.toMillis())
                        .with("job_id", job)
                        .with("worker_id", worker)
                        .with("timeout_at", timeout),
                List.of(
                        Advice.read("Look at what the workers do: their logs, and the services that they call.", LOST),
                        Advice.of(
                                "Cancel the longest run.",
                                new Action("job.cancel", "DELETE", "/ojs/v1/jobs/" + job, null, Action.CHANGE))));
    }
}
