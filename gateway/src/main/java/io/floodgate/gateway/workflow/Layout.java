package io.floodgate.gateway.workflow;

import io.floodgate.topics.json.JsonOut;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Where the steps of a workflow stand when it is drawn: in layers, each behind all that it needs; and siblings that are
 * alike together, since a drawing of a thousand boxes is unreadable.
 */
final class Layout {
    /** Siblings that are alike are drawn as one from this number on. */
    private static final int BUNDLE = 13;

    private Layout() {}

    static void write(List<ObjectNode> steps, JsonOut out) {
        Map<String, ObjectNode> byId = new LinkedHashMap<>();
        for (ObjectNode step : steps) byId.put(id(step), step);
        Map<String, Integer> layers = new HashMap<>();
        Map<Integer, List<String>> ids = new TreeMap<>();
        for (ObjectNode step : steps) {
            int layer = layer(step, byId, layers);
            ids.computeIfAbsent(layer, l -> new ArrayList<>()).add(id(step));
        }
        out.name("layout").beginObject().name("layers").beginArray();
        for (List<String> layer : ids.values()) {
            out.beginArray();
            layer.forEach(out::value);
            out.endArray();
        }
        out.endArray().name("bundles").beginArray();
        bundles(steps, out);
        out.endArray().endObject();
    }

    private static String id(ObjectNode step) {
        return step.path("id").asString();
    }

    /** One more than that of all it needs, or of what it is inside of; callbacks stand behind all others. */
    private static int layer(ObjectNode step, Map<String, ObjectNode> byId, Map<String, Integer> known) {
        Integer before = known.get(id(step));
        if (before != null) return before;
        known.put(id(step), 0);
        int layer = 0;
        ObjectNode parent = byId.get(step.path("parent").asString(""));
        if (parent != null) layer = layer(parent, byId, known);
        for (JsonNode needed : step.path("depends_on")) {
            ObjectNode other = byId.get(needed.asString());
            if (other != null) layer = Math.max(layer, deepest(other, byId, known) + 1);
        }
        if (!step.path("callback").isMissingNode())
            for (ObjectNode other : byId.values())
                if (other.path("callback").isMissingNode()
                        && other.path("parent")
                                .asString("")
                                .equals(step.path("parent").asString("")))
                    layer = Math.max(layer, deepest(other, byId, known) + 1);
        known.put(id(step), layer);
        return layer;
    }

    /** Of the step and all that is inside of it. */
    private static int deepest(ObjectNode step, Map<String, ObjectNode> byId, Map<String, Integer> known) {
        int layer = layer(step, byId, known);
        if (step.path("kind").isMissingNode()) return layer;
        for (ObjectNode other : byId.values())
            if (other.path("parent").asString("").equals(id(step)))
                layer = Math.max(layer, deepest(other, byId, known));
        return layer;
    }

    private static void bundles(List<ObjectNode> steps, JsonOut out) {
        Map<String, List<ObjectNode>> alike = new LinkedHashMap<>();
        for (ObjectNode step : steps)
            if (step.path("kind").isMissingNode() && step.path("callback").isMissingNode())
                alike.computeIfAbsent(
                                "%s %s %s"
                                        .formatted(
                                                step.path("parent").asString(""),
                                                step.path("type").asString(),
                                                step.path("depends_on")),
                                key -> new ArrayList<>())
                        .add(step);
        for (List<ObjectNode> bundle : alike.values()) {
            if (bundle.size() < BUNDLE) continue;
            Map<String, Long> states = new TreeMap<>();
            bundle.forEach(step -> states.merge(step.path("state").asString(), 1L, Long::sum));
            out.beginObject()
                    .field("type", bundle.getFirst().path("type").asString())
                    .field("size", bundle.size())
                    .field("steps", bundle.stream().map(Layout::id).toList())
                    .name("states")
                    .beginObject();
            states.forEach(out::field);
            out.endObject().endObject();
        }
    }
}
