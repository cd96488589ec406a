package io.floodgate.topics.sink;

import io.floodgate.topics.command.SinkCommand.Outcome;
import io.floodgate.topics.json.Json;
import io.floodgate.topics.json.JsonOut;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What the record of an event has in a header, if it is the outcome of a job that sinks are to get: for which of them it is, and the
 * job by then. Other readers of events need not look at it.
 */
public final class OutcomeMark {
    public static final String HEADER = "ojs-sinks";

    private static final String SINKS = "sinks";
    private static final String OUTCOME = "outcome";
    private static final String JOB = "job";
    private static final String EVENT = "event";

    private OutcomeMark() {}

    public static byte[] write(Outcome outcome, List<Long> sinks, JsonOut job) {
        JsonOut out = JsonOut.object(job.length() + 100).beginArray(SINKS);
        sinks.forEach(out::value);
        return out.endArray()
                .field(OUTCOME, outcome.wire())
                .name(JOB)
                .append(job)
                .endObject()
                .toBytes();
    }

    /** Returns the job with {@code outcome} and {@code event}, into which templates lead; null if it is not for this sink. */
    public static @Nullable ObjectNode read(byte[] mark, byte[] event, long sink) {
        JsonNode whole = Json.tree(mark);
        boolean isFor = false;
        for (JsonNode each : whole.path(SINKS)) isFor |= each.longValue() == sink;
        if (!isFor || !(whole.path(JOB) instanceof ObjectNode job)) return null;
        job.set(OUTCOME, whole.path(OUTCOME));
        job.set(EVENT, Json.tree(event));
        return job;
    }
}
