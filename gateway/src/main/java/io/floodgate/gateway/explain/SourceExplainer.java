package io.floodgate.gateway.explain;

import io.floodgate.gateway.explain.Explanation.Subject;
import io.floodgate.gateway.http.ApiResponse;
import io.floodgate.gateway.http.Call;
import io.floodgate.gateway.queue.PublishedStatus;
import io.floodgate.gateway.queue.StatusTable;
import io.floodgate.gateway.source.SourceOperations;
import io.floodgate.gateway.source.SourceStanding;
import io.floodgate.gateway.source.SourceWatch;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.RejectedException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Whether the records of a source come in, and what they wait for: {@code /ojs/v1/admin/sources/{name}/explain}. */
public record SourceExplainer(
        SourceOperations sources, SourceWatch watch, StatusTable table, ExplainBudget budget, Clock clock) {
    private static final String FROM = "Kafka";
    /** A source is read within this time, and comes on if there is nothing in its way. */
    private static final Duration SOON = Duration.ofMinutes(1);

    public ApiResponse explain(Call call) throws CommandFailed, RejectedException {
        ExplanationAnswer form = ExplanationAnswer.wanted(call);
        budget.take();
        return ExplainOperations.answer(
                form,
                "source",
                () -> explain(sources.show(call)),
                () -> Explanation.unknown(
                        "source", call.parameter("name"), SourceCode.UNKNOWN_SOURCE, clock.instant(), FROM));
    }

    /** Returns those that need attention. */
    List<Problem> problems() {
        List<Problem> problems = new ArrayList<>();
        for (SourceStanding standing : watch.lately()) problems.addAll(Problem.of(explain(standing), 0));
        return problems;
    }

    private Explanation explain(SourceStanding standing) {
        PublishedStatus queue = table.find(standing.source().queue());
        return explain(Facts.of(standing.toJson()), queue == null ? 0 : queue.pressure(), clock.instant());
    }

    /**
     * @param source as the API shows it
     * @param pressure how full its queue is, from 0 to 1
     */
    static Explanation explain(Facts source, double pressure, Instant now) {
        return Explanation.of(
                new Subject("source", String.valueOf(source.text("name"))),
                now,
                FROM,
                List.of(code(source, pressure >= 1, now).finding(FindingFacts.of(source, now))),
                source.pick("topic queue state lag records_per_second dead_letter_topic still_since created_at")
                        .with("queue_pressure", pressure),
                new Evidence());
    }

    private static SourceCode code(Facts source, boolean isQueueFull, Instant now) {
        return switch (String.valueOf(source.text("state"))) {
            case "topic_missing" -> SourceCode.NO_TOPIC;
            case "unknown" -> SourceCode.NOT_KNOWN;
            case "paused" -> SourceCode.PAUSED;
            case "opening" -> isLong(source, "created_at", now) ? SourceCode.NOT_READ : SourceCode.READS;
            default ->
                source.number("lag") == 0
                        ? SourceCode.READS
                        : isQueueFull
                                ? SourceCode.WAITS_FOR_ROOM
                                : isLong(source, "still_since", now) ? SourceCode.STANDS_STILL : SourceCode.READS;
        };
    }

    private static boolean isLong(Facts source, String since, Instant now) {
        Instant time = source.time(since);
        return time != null && time.plus(SOON).isBefore(now);
    }
}
