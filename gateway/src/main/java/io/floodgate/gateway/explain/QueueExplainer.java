package io.floodgate.gateway.explain;

import io.floodgate.gateway.explain.Explanation.Subject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** From what is known of a queue to why it stands so: no clock, no command, only the facts. */
final class QueueExplainer {
    private static final int MAX_SHOWN = 10;

    private static final List<Function<QueueStanding, @Nullable Finding>> RULES = List.of(
            StateFindings::maintenance,
            StateFindings::draining,
            StateFindings::paused,
            StateFindings::limitStopped,
            StateFindings::limitFrozen,
            IntakeFindings::dropping,
            DeliveryFindings::nobodyFetches,
            DeliveryFindings::typesNotFetched,
            DeliveryFindings::versionsNotAccepted,
            DeliveryFindings::starved,
            DeliveryFindings::heldByLimits,
            DeliveryFindings::workersLost,
            DeliveryFindings::stuck,
            OutcomeFindings::failing,
            OutcomeFindings::deadLetters,
            OutcomeFindings::waitingToRetry,
            OutcomeFindings::scheduledLater,
            OutcomeFindings::notActivated,
            IntakeFindings::largeJobs,
            IntakeFindings::oneTenant,
            IntakeFindings::producersFaster,
            IntakeFindings::fullAndStill,
            IntakeFindings::fullButDraining,
            IntakeFindings::noBound);

    private QueueExplainer() {}

    /** @param confined the caller may use some queues only: of others who use this one it learns the number */
    static Explanation explain(QueueStanding queue, boolean confined) {
        List<Finding> findings = findings(queue);
        if (findings.isEmpty()) findings.add(well(queue));
        return new Explanation(
                new Subject("queue", queue.name()),
                queue.now(),
                true,
                String.valueOf(queue.facts().text("partition")),
                findings,
                figures(queue),
                who(queue, confined),
                notKnown(queue));
    }

    /** All that are true, in the order of the rules. */
    static List<Finding> findings(QueueStanding queue) {
        List<Finding> findings = new ArrayList<>();
        RULES.stream().map(rule -> rule.apply(queue)).filter(Objects::nonNull).forEach(findings::add);
        return findings;
    }

    private static Finding well(QueueStanding queue) {
        boolean isIdle = queue.depth() == 0;
        String title = isIdle
                ? "Queue '%s' has no unfinished job".formatted(queue.name())
                : "Queue '%s' keeps up: %s, %s come, %s leave"
                        .formatted(
                                queue.name(),
                                Words.count(queue.depth(), "unfinished job"),
                                Words.jobRate(queue.offered()),
                                Words.rate(queue.leaves()));
        return new Finding(
                isIdle ? QueueCode.IDLE : QueueCode.KEEPING_UP,
                Severity.OK,
                null,
                title,
                "",
                new Evidence(),
                List.of());
    }

    /** There is no queue of this name. */
    static Explanation unknown(String name, Instant now, String from, List<String> similar) {
        String others =
                similar.isEmpty() ? "" : " Queues with similar names: %s.".formatted(String.join(", ", similar));
        Finding finding = new Finding(
                QueueCode.NEVER_USED,
                Severity.UNKNOWN,
                null,
                "There is no queue '%s'".formatted(name),
                "A queue comes into being with its first job.%s".formatted(others),
                new Evidence().with("similar", similar.isEmpty() ? null : similar),
                List.of(Advice.say(("Check the name, or enqueue a first job: POST /ojs/v1/jobs"
                                + " {\"type\":\"example\",\"args\":[],\"options\":{\"queue\":\"%s\"}}")
                        .formatted(name))));
        return Explanation.unknown(new Subject("queue", name), finding, now, from);
    }

    /**
     * The partition does not answer.
     *
     * @param last what was published last; null if nothing is known
     */
    static Explanation silent(String name, Instant now, Silence silence, @Nullable Facts last) {
        Instant asOf = last == null ? null : last.time("updated_at");
        Finding finding = new Finding(
                QueueCode.PARTITION_SILENT,
                Severity.PROBLEM,
                null,
                "Partition %s of queue '%s' does not answer".formatted(silence.partition(), name),
                "Its jobs are neither lost nor run until a processor serves the partition again. %s"
                        .formatted(silence.text()),
                silence.evidence(),
                List.of(silence.advice()));
        return new Explanation(
                new Subject("queue", name),
                asOf == null ? now : asOf,
                false,
                silence.partition().toString(),
                List.of(finding),
                last == null ? new Evidence() : figures(last),
                new Evidence(),
                silence.notKnown("partition"));
    }

    private static Evidence figures(QueueStanding queue) {
        Evidence figures = figures(queue.facts());
        double surplus = queue.leaves() - queue.offered();
        boolean empties = queue.depth() > 0 && surplus > 0;
        return figures.with("empty_in_seconds", empties ? (Object) Math.round(queue.depth() / surplus) : null);
    }

    private static Evidence figures(Facts facts) {
        Facts config = facts.inside("config");
        Evidence figures = new Evidence()
                .with("depth", facts.number("depth"))
                .with("bound", config.number("max_depth") == 0 ? null : (Object) config.number("max_depth"));
        for (String state : List.of("available", "active", "retryable", "scheduled", "pending"))
            figures.with(state, facts.number(state));
        for (String count : List.of("dead", "rejected", "dropped"))
            figures.with(count, facts.number(count) == 0 ? null : (Object) facts.number(count));
        figures.with("offered_per_second", facts.decimal("fills_per_second"))
                .with("leave_per_second", facts.decimal("drains_per_second"));
        for (String time : List.of("oldest_available_at", "last_fetched_at", "full_since"))
            figures.with(time, facts.time(time));
        return figures.with("room_in_seconds", facts.optionalNumber("room_in_seconds"));
    }

    private static Evidence who(QueueStanding queue, boolean confined) {
        Facts facts = queue.facts();
        return new Evidence()
                .with("waiting_producers", list(facts.inside("waiting_producers"), each -> producer(each, confined)))
                .with("waiting_workers", list(facts.inside("waiting_fetches"), QueueExplainer::fetch))
                .with("workers", of(facts.inside("runs").list("by_worker"), QueueExplainer::worker))
                .with("held_by", of(facts.inside("limited").list("first"), LimitWords::evidence))
                .with("longest_running", of(facts.inside("runs").list("longest"), QueueExplainer::run));
    }

    private static @Nullable Evidence list(Facts counted, Function<Facts, Evidence> shown) {
        if (counted.number("count") == 0) return null;
        return new Evidence().with("count", counted.number("count")).with("first", of(counted.list("first"), shown));
    }

    /** The first of them; null if there are none. */
    static @Nullable List<Evidence> of(List<Facts> some, Function<Facts, Evidence> shown) {
        return some.isEmpty() ? null : some.stream().limit(MAX_SHOWN).map(shown).toList();
    }

    private static Evidence producer(Facts waiting, boolean confined) {
        Evidence shown = new Evidence().with("since", waiting.time("since")).with("jobs", waiting.number("jobs"));
        if (!confined)
            shown.with("by", waiting.text("by"))
                    .with("tenants", waiting.has("tenants") ? waiting.texts("tenants") : null);
        return shown.with("until", waiting.time("until"));
    }

    private static Evidence fetch(Facts waiting) {
        return new Evidence()
                .with("worker_id", waiting.text("worker_id"))
                .with("types", waiting.has("types") ? waiting.texts("types") : null)
                .with("exclude_types", waiting.has("exclude_types") ? waiting.texts("exclude_types") : null)
                .with("accept_versions", waiting.has("accept_versions") ? waiting.texts("accept_versions") : null)
                .with("until", waiting.time("until"));
    }

    private static Evidence worker(Facts worker) {
        return new Evidence()
                .with("worker_id", worker.text("worker_id"))
                .with("active", worker.number("active"))
                .with("oldest_started_at", worker.time("oldest_started_at"));
    }

    private static Evidence run(Facts run) {
        return new Evidence()
                .with("job_id", run.text("job_id"))
                .with("type", run.text("type"))
                .with("worker_id", run.text("worker_id"))
                .with("started_at", run.time("started_at"))
                .with("timeout_at", run.time("timeout_at"));
    }

    /** Samples that did not see everything. */
    private static List<String> notKnown(QueueStanding queue) {
        Facts facts = queue.facts();
        Stream<String> samples = Stream.of("runs", "later", "limited")
                .filter(name -> facts.inside(name).flag("is_sample"));
        return samples.map(name -> "all_" + name).toList();
    }
}
