package io.floodgate.processor.simulation;

import io.floodgate.processor.partition.Outcome;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.json.Json;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** No command comes upon what was quarantined, also after a restart: so it is quarantined once. */
final class QuarantinedOnce {
    private QuarantinedOnce() {}

    static void check(PartitionId log, List<Outcome> outcomes) {
        Set<String> subjects = new LinkedHashSet<>();
        for (Outcome outcome : outcomes)
            outcome.events().forEach(event -> {
                JsonNode told = Json.tree(event.envelope());
                if (!told.get("type").stringValue().equals("floodgate.quarantined")) return;
                JsonNode data = told.get("data");
                if (!subjects.add(data.get("kind") + " " + data.get("subject")))
                    throw new AssertionError("log %s: set aside twice: %s".formatted(log, data));
            });
    }
}
