package io.floodgate.gateway.queue;

import io.floodgate.topics.json.Json;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.queue.TenantFairness;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A configuration that a client has read and sends back with changes: it has every bound in all vocabularies, and what
 * was never set for the queue itself. Only what differs from what is in force is a decision.
 */
final class EchoedConfig {
    /** Fields that are together in answers, and hardly anywhere else. */
    private static final List<String> VOCABULARIES = List.of("overflow_policy", "capacity", "backpressure");

    private static final List<String> WRAPPERS = List.of("config", "configuration", "queue");
    /** Figures that the administration's page shows beside the configuration of backpressure. */
    private static final Set<String> FIGURES = Set.of("enabled", "threshold", "current_depth", "state");

    private EchoedConfig() {}

    static boolean is(byte[] body) {
        return tree(body) instanceof ObjectNode fields && (isEcho(fields) || hasEcho(fields));
    }

    private static boolean hasEcho(ObjectNode fields) {
        return WRAPPERS.stream().anyMatch(name -> fields.get(name) instanceof ObjectNode inside && isEcho(inside));
    }

    private static boolean isEcho(ObjectNode fields) {
        return VOCABULARIES.stream().allMatch(fields::has);
    }

    /** @param inForce the configuration as it is now */
    static byte[] changes(byte[] body, PublishedStatus inForce) {
        if (!(tree(body) instanceof ObjectNode sent)) return body;
        JsonOut shown = JsonOut.object(4_096);
        ConfigView.fields(inForce, shown);
        ConfigView.config(inForce, shown);
        ConfigView.configuration(inForce, shown);
        for (String wrapper : WRAPPERS)
            if (sent.get(wrapper) instanceof ObjectNode inside
                    && inside.get("backpressure") instanceof ObjectNode backpressure) backpressure.remove(FIGURES);
        removeEqual(sent, Json.MAPPER.readTree(shown.endObject().toBytes()));
        return Json.MAPPER.writeValueAsBytes(sent);
    }

    private static void removeEqual(ObjectNode sent, JsonNode shown) {
        for (String name : List.copyOf(sent.propertyNames())) {
            JsonNode now = shown.get(name);
            if (now == null) continue;
            JsonNode value = sent.get(name);
            // Weights are decided together: without some of them they would be others.
            if (value instanceof ObjectNode inside && now.isObject() && !name.equals(TenantFairness.NAME)) {
                removeEqual(inside, now);
                if (inside.isEmpty()) sent.remove(name);
            } else if (isSame(value, now)) {
                sent.remove(name);
            }
        }
    }

    private static boolean isSame(JsonNode value, JsonNode now) {
        if (value.isNumber() && now.isNumber()) return value.decimalValue().compareTo(now.decimalValue()) == 0;
        return value.equals(now);
    }

    private static @Nullable JsonNode tree(byte[] body) {
        try {
            return Json.tree(body);
        } catch (JacksonException malformed) {
            return null;
        }
    }
}
