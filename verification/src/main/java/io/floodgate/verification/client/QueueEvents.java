package io.floodgate.verification.client;

import io.floodgate.verification.history.QueueEvent;
import io.floodgate.verification.history.QueueEvent.Configured;
import io.floodgate.verification.history.QueueEvent.Deleted;
import io.floodgate.verification.history.QueueEvent.Dropped;
import io.floodgate.verification.history.QueueEvent.JobMoved;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Reads out of an event what it says about how full its queue is. */
final class QueueEvents {
    private QueueEvents() {}

    static void add(JsonNode envelope, List<QueueEvent> events) {
        String type = envelope.required("type").stringValue();
        Instant time = Instant.parse(envelope.required("time").stringValue());
        JsonNode data = envelope.required("data");
        JsonNode queue = data.get("queue");
        if (queue == null) return;
        String name = queue.stringValue();
        switch (type) {
            case "queue.config_updated" -> events.add(configured(name, time, data));
            case "queue.deleted" -> events.add(new Deleted(name, time));
            case "backpressure.dropped" ->
                events.add(new Dropped(name, time, data.required("job_id").stringValue()));
            default -> {
                if (data.has("job_id") && data.has("state")) events.add(moved(name, time, type, data));
            }
        }
    }

    private static Configured configured(String queue, Instant time, JsonNode data) {
        JsonNode config = data.required("config");
        return new Configured(
                queue,
                time,
                config.path("max_depth").longValue(0),
                config.path("max_size_bytes").longValue(0),
                config.path("strategy").asString("reject"),
                data.required("depth").longValue(),
                data.required("size_bytes").longValue(),
                config.path("tenant_fairness").booleanValue(false));
    }

    private static JobMoved moved(String queue, Instant time, String type, JsonNode data) {
        JsonNode bytes = data.get("size_bytes");
        JsonNode waited = data.get("waited_ms");
        return new JobMoved(
                queue,
                time,
                type,
                data.required("job_id").stringValue(),
                data.required("state").stringValue(),
                bytes == null ? null : (Long) bytes.longValue(),
                waited == null ? null : Duration.ofMillis(waited.longValue()));
    }
}
