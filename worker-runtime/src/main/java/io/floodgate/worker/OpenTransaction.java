package io.floodgate.worker;

import io.floodgate.topics.command.ProgressReport;
import io.floodgate.topics.json.Json;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.Timestamps;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A transaction that a run was about to commit, as its job says: the next attempt finds out whether it did.
 *
 * @param id of the producer
 * @param lease of the run
 * @param result of the job if it was committed, as JSON
 * @param since when it was about to be committed, by the server's clock
 */
record OpenTransaction(String id, long lease, byte @Nullable [] result, Instant since) {
    static @Nullable OpenTransaction of(LeasedJob job) {
        JsonNode checkpoint = job.json().path("checkpoint");
        JsonNode open = checkpoint.path(ProgressReport.TRANSACTION);
        if (!open.isObject()) return null;
        JsonNode result = open.get("result");
        return new OpenTransaction(
                open.required("id").stringValue(),
                open.required("lease").longValue(),
                result == null ? null : Json.MAPPER.writeValueAsBytes(result),
                Timestamps.parse(checkpoint.path("created_at").stringValue("")).orElse(Instant.EPOCH));
    }

    static byte[] write(String id, long lease, byte @Nullable [] result) {
        return JsonOut.object()
                .field("id", id)
                .field("lease", lease)
                .optionalRaw("result", result)
                .endObject()
                .toBytes();
    }

    /** Returns what a transaction leaves in Kafka if it is committed. */
    static String mark(LeasedJob job, long lease) {
        return job.id() + "/" + lease;
    }
}
