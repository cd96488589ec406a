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
 * The layout of a workflow's steps in a drawing: in layers, each behind all that it needs; and siblings that are alike
 * together, since a drawing of a thousand boxes is unreadable.
 */
final class Layout {
    /** Siblings that are alike are drawn as one from this number on. */
    private static final int BUNDLE = 13;

    private final Map<String, ObjectNode> byId = new LinkedHashMap<>();
    /** Steps by the step that they are inside of; under an empty name those of the workflow itself. */
    private final Map<String, List<ObjectNode>> inside = new HashMap<>();

    private final Map<String, Integer> layers = new HashMap<>();
    private final Map<String, Integer> deepest = new HashMap<>();
    private final Map<String, Integer> behindAll = new HashMap<>();

    private Layout(List<ObjectNode> steps) {
        for (ObjectNode step : steps) {
            byId.put(id(step), step);
            inside.computeIfAbsent(parent(step), of -> new ArrayList<>()).add(step);
        }
    }

    static void write(List<ObjectNode> steps, JsonOut out) {
        Layout layout = new Layout(steps);
        Map<Integer, List<String>> ids = new TreeMap<>();
        for (ObjectNode step : steps)
            ids.computeIfAbsent(layout.layer(step), l -> new ArrayList<>()).add(id(step));
        out.beginObject("layout").beginArray("layers");
        for (List<String> layer : ids.values()) {
            out.beginArray();
            layer.forEach(out::value);
            out.endArray();
        }
        out.endArray().beginArray("bundles");
        bundles(steps, out);
        out.endArray().endObject();
    }

    private static String id(ObjectNode step) {
        return step.path("id").asString();
    }

    private static String parent(ObjectNode step) {
        return step.path("parent").asString("");
    }

    private static boolean isCallback(ObjectNode step) {
        return !step.path("callback").isMissingNode();
    }

    /** One more than that of all it needs, or of what it is inside of; callbacks stand behind all others. */
    private int layer(ObjectNode step) {
        Integer before = layers.get(id(step));
        if (before != null) return before;
        layers.put(id(step), 0);
        int layer = 0;
        ObjectNode parent = byId.get(parent(step));
        if (parent != null) layer = layer(parent);
        for (JsonNode needed : step.path("depends_on")) {
            ObjectNode other = byId.get(needed.asString());
            if (other != null) layer = Math.max(layer, deepest(other) + 1);
        }
        if (isCallback(step)) layer = Math.max(layer, behindAll(parent(step)));
        layers.put(id(step), layer);
        return layer;
    }

    /** The layer behind all steps inside of this one but its callbacks. */
    private int behindAll(String parent) {
        Integer known = behindAll.get(parent);
        if (known != null) return known;
        int layer = 0;
        for (ObjectNode step : inside.getOrDefault(parent, List.of()))
            if (!isCallback(step)) layer = Math.max(layer, deepest(step) + 1);
        behindAll.put(parent, layer);
        return layer;
    }

    /** Returns the deepest layer of the step and all that is inside of it. */
    private int deepest(ObjectNode step) {
        if (!WorkflowAnswer.isWorkflow(step)) return layer(step);
        Integer known = deepest.get(id(step));
        if (known != null) return known;
        int layer = layer(step);
        for (ObjectNode each : inside.getOrDefault(id(step), List.of())) layer = Math.max(layer, deepest(each));
        deepest.put(id(step), layer);
        return layer;
    }

    private static void bundles(List<ObjectNode> steps, JsonOut out) {
        Map<String, List<ObjectNode>> alike = new LinkedHashMap<>();
        for (ObjectNode step : steps)
            if (!WorkflowAnswer.isWorkflow(step) && step.path("callback").isMissingNode())
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
                    .beginObject("states");
            states.forEach(out::field);
            out.endObject().endObject();
        }
    }
}
