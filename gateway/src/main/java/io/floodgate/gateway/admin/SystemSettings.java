package io.floodgate.gateway.admin;

import io.floodgate.gateway.http.ApiResponse;
import io.floodgate.gateway.http.Call;
import io.floodgate.topics.client.CommandClient;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.job.EnvelopeReader;
import io.floodgate.topics.json.Durations;
import io.floodgate.topics.json.JsonOut;
import java.time.Duration;

/** {@code /ojs/v1/admin/system/config}: how this server is set up, without anything that is to be kept secret (OJS admin §12.2). */
public record SystemSettings(Shown shown, CommandClient client) {
    /** The settings of a gateway that are shown. */
    public record Shown(
            boolean testMode,
            Duration requestTimeout,
            Duration defaultWait,
            int maxConnections,
            long requestBytes,
            int maxEvents,
            int maxEventStreams,
            int maxQueues) {}

    public ApiResponse show(Call call) {
        return ApiResponse.ok(JsonOut.object(1_024)
                .field("backend", "kafka")
                .field("partitions", client.routing().logs().size())
                .field("test_mode", shown.testMode)
                .field("request_timeout", Durations.format(shown.requestTimeout))
                .field("default_wait", Durations.format(shown.defaultWait))
                .beginObject("limits")
                .field("connections", shown.maxConnections)
                .field("request_memory_bytes", shown.requestBytes)
                .field("events", shown.maxEvents)
                .field("event_streams", shown.maxEventStreams)
                .field("queues_listed", shown.maxQueues)
                .field("max_envelope_bytes", EnvelopeReader.MAX_JOB_BYTES)
                .field("max_meta_bytes", EnvelopeReader.MAX_META_BYTES)
                .field("max_batch_size", Limits.JOBS_OF_A_BATCH)
                .field("max_batch_bytes", Limits.BYTES_OF_A_BATCH)
                .endObject()
                .endObject());
    }
}
