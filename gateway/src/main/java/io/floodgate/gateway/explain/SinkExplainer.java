package io.floodgate.gateway.explain;

import io.floodgate.gateway.explain.Explanation.Subject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Whether outcomes of jobs come to the topic of a sink, from what the registry of sinks knows. */
final class SinkExplainer {
    /** What fails once is tried again within this time. */
    private static final Duration SOON = Duration.ofMinutes(1);

    private SinkExplainer() {}

    static Explanation explain(Facts sink, Instant now, String from) {
        Instant since = sink.time("failing_since");
        SinkCode code = since != null && since.plus(SOON).isBefore(now) ? SinkCode.FAILING : SinkCode.WRITES;
        return Explanation.of(
                new Subject("sink", String.valueOf(sink.text("id"))),
                now,
                from,
                List.of(code.finding(FindingFacts.of(sink, now))),
                sink.pick("topic failing_since"),
                new Evidence().with("last_error", sink.text("last_error")));
    }
}
