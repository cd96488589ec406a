package io.floodgate.gateway.explain;

import io.floodgate.gateway.explain.Explanation.Subject;
import io.floodgate.topics.json.JsonOut;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Why a queue stands as it does, from what is known of it. */
final class QueueExplainer {
    static final String PAUSED =
            "[Key '{paused_by}' paused it|It was paused][ at {paused_at}][: {paused_reason}|, without a reason]."
                    + "[ {blocked:producer waits/producers wait} for capacity meanwhile."
                    + "|{is_full?} It is full, so new jobs are turned away or dropped.|]";
    static final String PAUSED_BY = "paused_by reason=paused_reason available waiting_producers=blocked?";
    static final String NEXT = "[ The next one found is due in {due_in}.|{is_due?} The first are due now.|]";

    /** What becomes of jobs that do not fit. */
    static final String TURNED_AWAY =
            "[{blocked:producer waits/producers wait} for capacity[, the first for {blocked_since:ago}]."
                    + "|Old jobs make room for new ones: {dropped:job} so far."
                    + "|{rejected:job was/jobs were} rejected so far.]";

    static final String FULL = "[{is_full?}"
            + "[It reached its bound of {shown_bound} at {full_since}, {full_since:ago} ago."
            + "|{is_at_bound?}It is at its bound of {shown_bound}."
            + "|It has {depth} of {shown_bound}: each job that leaves makes room for the next one only.] "
            + TURNED_AWAY
            + "|It has {depth:job} of {shown_bound}. Offered are all jobs that producers send, also those that are sent again.]";
    static final String FLOW =
            "offered_per_second leave_per_second full_since rejected dropped waiting_producers=blocked?";
    static final String MORE_WORKERS =
            "Start more workers for it[: about {more_workers:more worker} of the present size would keep up,"
                    + " if no rejected job is sent twice.|: about {more_jobs:more job} at a time would keep up,"
                    + " if no rejected job is sent twice.|, or send fewer jobs.]";

    private QueueExplainer() {}

    /** @param confined the caller may use some queues only: of others who use this one it learns the number */
    static Explanation explain(QueueStanding queue, boolean confined) {
        return new Explanation(
                new Subject("queue", queue.name()),
                queue.now(),
                true,
                String.valueOf(queue.facts().text("partition")),
                QueueFindings.of(queue),
                figures(queue),
                who(queue, confined),
                notKnown(queue));
    }

    /** There is no queue of this name. */
    static Explanation unknown(String name, Instant now, String from, List<String> similar) {
        JsonOut example = JsonOut.object().field("type", "example");
        example.beginArray("args").endArray();
        example.beginObject("options").field("queue", name).endObject().endObject();
        FindingFacts known = FindingFacts.named(name, now)
                .with("similar", similar.isEmpty() ? null : similar)
                .with("example", example.toString());
        return Explanation.unknown(new Subject("queue", name), QueueCode.NEVER_USED.finding(known), now, from);
    }

    /**
     * The partition does not answer.
     *
     * @param last what was published last; null if nothing is known
     */
    static Explanation silent(String name, Instant now, Silence silence, @Nullable Facts last) {
        Instant asOf = last == null ? null : last.time("updated_at");
        return new Explanation(
                new Subject("queue", name),
                asOf == null ? now : asOf,
                false,
                silence.partition().toString(),
                List.of(QueueCode.PARTITION_SILENT.finding(silence.facts(name, now))),
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
        Evidence figures = facts.pick("depth bound=config.max_depth? available active retryable scheduled pending"
                        + " dead? rejected? dropped?")
                .with("offered_per_second", facts.decimal("fills_per_second"))
                .with("leave_per_second", facts.decimal("drains_per_second"));
        facts.pick("oldest_available_at last_fetched_at full_since room_in_seconds")
                .values()
                .forEach(figures::with);
        return figures;
    }

    private static Evidence who(QueueStanding queue, boolean confined) {
        Facts facts = queue.facts();
        Facts runs = facts.inside("runs");
        String producer = confined ? "since jobs until" : "since jobs by tenants until";
        String fetch = "worker_id types exclude_types accept_versions until";
        return new Evidence()
                .with("waiting_producers", list(facts.inside("waiting_producers"), producer))
                .with("waiting_workers", list(facts.inside("waiting_fetches"), fetch))
                .with("workers", Evidence.list(runs.list("by_worker"), "worker_id active oldest_started_at"))
                .with("held_by", Evidence.list(facts.inside("limited").list("first"), LimitWords.EVIDENCE))
                .with(
                        "longest_running",
                        Evidence.list(runs.list("longest"), "job_id type worker_id started_at timeout_at"));
    }

    private static @Nullable Evidence list(Facts counted, String shown) {
        if (counted.number("count") == 0) return null;
        return counted.pick("count").with("first", Evidence.list(counted.list("first"), shown));
    }

    /** Samples that did not see everything. */
    private static List<String> notKnown(QueueStanding queue) {
        Facts facts = queue.facts();
        Stream<String> samples = Stream.of("runs", "later", "limited")
                .filter(name -> facts.inside(name).flag("is_sample"));
        return samples.map(name -> "all_" + name).toList();
    }
}
