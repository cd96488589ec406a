package io.floodgate.topics.template;

import io.floodgate.topics.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * JSON in which texts that begin with {@code $.} are paths. A text that begins with {@code $$} stands for itself, with one of these
 * signs.
 *
 * @param <P> a path
 */
public final class JsonTemplate<P> {
    /** What paths lead to. */
    @FunctionalInterface
    public interface Parts<P> {
        /** Returns null for what is missing and may be. */
        @Nullable
        JsonNode at(P path) throws Unmappable;
    }

    private sealed interface Part<P> {}

    private record Literal<P>(JsonNode node) implements Part<P> {}

    private record Members<P>(Map<String, Part<P>> members) implements Part<P> {}

    private record Elements<P>(List<Part<P>> elements) implements Part<P> {}

    private record Reference<P>(P path) implements Part<P> {}

    private final Part<P> part;

    private JsonTemplate(Part<P> part) {
        this.part = part;
    }

    /** @param paths reads a path, or throws an {@link IllegalArgumentException} that says why it is none */
    public static <P> JsonTemplate<P> of(JsonNode tree, Function<String, P> paths) {
        return new JsonTemplate<>(part(tree, paths));
    }

    private static <P> Part<P> part(JsonNode node, Function<String, P> paths) {
        if (node.isString()) return text(node, paths);
        if (node.isArray()) {
            List<Part<P>> elements = new ArrayList<>();
            for (JsonNode element : node) elements.add(part(element, paths));
            return new Elements<>(elements);
        }
        if (!node.isObject()) return new Literal<>(node);
        Map<String, Part<P>> members = new LinkedHashMap<>();
        for (var member : node.properties()) members.put(member.getKey(), part(member.getValue(), paths));
        return new Members<>(members);
    }

    private static <P> Part<P> text(JsonNode node, Function<String, P> paths) {
        String text = node.stringValue();
        if (text.startsWith("$$"))
            return new Literal<>(Json.MAPPER.getNodeFactory().stringNode(text.substring(1)));
        return text.startsWith("$") ? new Reference<>(paths.apply(text)) : new Literal<>(node);
    }

    /** Returns null for what is missing and may be. */
    public @Nullable JsonNode resolve(Parts<P> parts) throws Unmappable {
        return resolve(part, parts);
    }

    private static <P> @Nullable JsonNode resolve(Part<P> part, Parts<P> parts) throws Unmappable {
        return switch (part) {
            case Literal<P> literal -> literal.node;
            case Reference<P> reference -> parts.at(reference.path);
            case Elements<P> list -> {
                ArrayNode elements = Json.MAPPER.createArrayNode();
                for (Part<P> each : list.elements) {
                    JsonNode element = resolve(each, parts);
                    if (element == null) elements.addNull();
                    else elements.add(element);
                }
                yield elements;
            }
            case Members<P> object -> {
                ObjectNode members = Json.MAPPER.createObjectNode();
                for (var each : object.members.entrySet()) {
                    JsonNode member = resolve(each.getValue(), parts);
                    if (member != null) members.set(each.getKey(), member);
                }
                yield members;
            }
        };
    }
}
