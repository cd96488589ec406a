package io.floodgate.standalone.crash;

import io.floodgate.bench.history.EventSeen;
import io.floodgate.topics.Topics;
import io.floodgate.topics.json.Json;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** All events about jobs since the beginning, as whoever reads committed records sees them. */
final class Events {
    private Events() {}

    static List<EventSeen> read(Cluster cluster) {
        List<EventSeen> events = new ArrayList<>();
        cluster.read(Topics.EVENTS, record -> {
            JsonNode event = Json.tree(record.value());
            JsonNode data = event.path("data");
            if (!data.has("job_id") || !data.has("state")) return;
            events.add(new EventSeen(
                    event.required("id").stringValue(),
                    event.required("type").stringValue(),
                    data.required("job_id").stringValue(),
                    data.required("state").stringValue(),
                    data.has("lease") ? data.path("lease").longValue() : null));
        });
        return events;
    }
}
