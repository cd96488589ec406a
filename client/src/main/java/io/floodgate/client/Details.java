package io.floodgate.client;

import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** Details of a rejection beside its message, by name, as text. */
final class Details {
    static final String EXISTING = "existing_job_id";

    private static final int MOST = 50;

    private Details() {}

    static Map<String, String> of(JsonNode object) {
        Map<String, String> details = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> member : object.properties()) {
            if (details.size() == MOST) break;
            JsonNode value = member.getValue();
            details.put(member.getKey(), value.isString() ? value.stringValue() : value.toString());
        }
        return details;
    }

    static Map<String, String> of(Rejection rejection) {
        Map<String, String> details = new LinkedHashMap<>();
        for (Rejection.Detail detail : rejection.details()) details.put(detail.name(), text(detail.json()));
        return details;
    }

    private static String text(String json) {
        try {
            JsonNode value = Json.tree(json.getBytes(StandardCharsets.UTF_8));
            return value.isString() ? value.stringValue() : json;
        } catch (JacksonException malformed) {
            return json;
        }
    }

    /** 0 if it is not there. */
    static long number(Map<String, String> details, String name) {
        try {
            return Long.parseLong(details.getOrDefault(name, "0"));
        } catch (NumberFormatException noNumber) {
            return 0;
        }
    }
}
