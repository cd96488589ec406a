package io.floodgate.processor.simulation;

import io.floodgate.processor.log.Outcome;
import io.floodgate.topics.LogId;
import io.floodgate.topics.json.Json;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** What was set aside is come upon by nobody, after a restart either: so it is set aside once. */
final class SetAsideOnce {
    private SetAsideOnce() {}

    static void check(LogId log, List<Outcome> outcomes) {
        Set<String> subjects = new LinkedHashSet<>();
        for (Outcome outcome : outcomes)
            outcome.events().forEach(event -> {
                JsonNode told = Json.tree(event.envelope());
                if (!told.get("type").stringValue().equals("floodgate.set_aside")) return;
                JsonNode data = told.get("data");
                if (!subjects.add(data.get("kind") + " " + data.get("subject")))
                    throw new AssertionError("log %s: set aside twice: %s".formatted(log, data));
            });
    }
}
