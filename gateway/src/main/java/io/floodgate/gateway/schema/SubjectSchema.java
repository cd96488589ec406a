package io.floodgate.gateway.schema;

import io.floodgate.topics.command.Limits;
import io.floodgate.topics.json.Json;
import io.floodgate.topics.schema.JobSchema;
import io.floodgate.topics.schema.UnreadableSchema;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * One schema of draft 2020-12, made of one of any draft since the fourth and of those that it refers to. These become definitions of
 * it, and references to them lead there.
 */
final class SubjectSchema {
    private static final String DEFINITIONS = "$defs";
    private static final int MOST_DEPTH = 60;
    private static final Set<String> OF_ONE = Set.of(
            "items",
            "additionalItems",
            "additionalProperties",
            "not",
            "if",
            "then",
            "else",
            "contains",
            "propertyNames",
            "unevaluatedItems",
            "unevaluatedProperties",
            "contentSchema");
    private static final Set<String> OF_A_LIST = Set.of("allOf", "anyOf", "oneOf", "items", "prefixItems");
    private static final Set<String> OF_NAMES =
            Set.of("properties", "patternProperties", "definitions", DEFINITIONS, "dependentSchemas", "dependencies");

    private final Map<String, ObjectNode> others = new TreeMap<>();

    private SubjectSchema() {}

    /** @param others the schemas that it refers to, by the names in {@code $ref} */
    static byte[] whole(String schema, Map<String, String> others) throws UnreadableSchema {
        SubjectSchema made = new SubjectSchema();
        for (var other : others.entrySet()) made.others.put(other.getKey(), parse(other.getValue()));
        ObjectNode whole = made.new Document(parse(schema), "#").converted();
        for (var other : made.others.entrySet())
            whole.withObjectProperty(DEFINITIONS)
                    .set(other.getKey(), made.new Document(other.getValue(), place(other.getKey())).converted());
        byte[] json = Json.MAPPER.writeValueAsBytes(whole);
        JobSchema.of(json);
        return json;
    }

    private static ObjectNode parse(String schema) throws UnreadableSchema {
        try {
            if (Json.MAPPER.readTree(schema) instanceof ObjectNode object) return object;
        } catch (JacksonException malformed) {
            throw new UnreadableSchema("it is not well-formed JSON.");
        }
        throw new UnreadableSchema("it must be a JSON object.");
    }

    private static String place(String name) {
        return "#/" + DEFINITIONS + "/"
                + name.replace("~", "~0").replace("/", "~1").replace("%", "%25");
    }

    /** One of the schemas, which stands at a place of the whole. */
    private final class Document {
        private final ObjectNode root;
        private final String place;
        private final int draft;
        private final @Nullable String id;

        Document(ObjectNode root, String place) throws UnreadableSchema {
            this.root = root;
            this.place = place;
            draft = draft(root.path("$schema").asString(""));
            JsonNode named = root.path(draft == 4 ? "id" : "$id");
            id = named.isString() ? named.stringValue() : null;
        }

        /** A schema that does not say it is of the seventh, as for the serializers of Confluent. */
        private static int draft(String schema) throws UnreadableSchema {
            if (schema.contains("draft-04")) return 4;
            if (schema.contains("draft-06")) return 6;
            if (schema.isEmpty() || schema.contains("draft-07") || schema.endsWith("json-schema.org/schema#")) return 7;
            if (schema.contains("2019-09")) return 2019;
            if (schema.contains("2020-12")) return 2020;
            throw new UnreadableSchema("'%s' is no draft that is known.".formatted(Limits.echo(schema)));
        }

        ObjectNode converted() throws UnreadableSchema {
            JsonNode converted = schema(root, 0);
            if (converted instanceof ObjectNode object) {
                object.remove(List.of("$schema", "$id", "id"));
                return object;
            }
            throw new IllegalStateException("an object stays one");
        }

        private JsonNode schema(JsonNode node, int depth) throws UnreadableSchema {
            if (depth > MOST_DEPTH)
                throw new UnreadableSchema("it is nested deeper than %d levels.".formatted(MOST_DEPTH));
            if (!(node instanceof ObjectNode from)) return node;
            ObjectNode to = Json.MAPPER.createObjectNode();
            // Up to the seventh draft, what stands beside a reference does not count.
            boolean isReferenceOnly = draft <= 7 && from.path("$ref").isString();
            for (var member : from.properties()) {
                String name = member.getKey();
                if (isReferenceOnly && !name.equals("$ref") && !name.equals("definitions")) continue;
                member(to, from, name, member.getValue(), depth + 1);
            }
            return to;
        }

        private void member(ObjectNode to, ObjectNode from, String name, JsonNode value, int depth)
                throws UnreadableSchema {
            if ((name.equals("$ref") || name.equals("$dynamicRef")) && value.isString())
                to.put(name, reference(value.stringValue()));
            else if (name.equals("$recursiveRef") || name.equals("$recursiveAnchor"))
                throw new UnreadableSchema(name + " is not known in draft 2020-12.");
            else if (draft < 2020 && name.equals("items") && value.isArray()) to.set("prefixItems", list(value, depth));
            else if (draft < 2020 && name.equals("additionalItems")) {
                if (from.path("items").isArray()) to.set("items", schema(value, depth));
            } else if (draft < 2019 && name.equals("dependencies") && value.isObject()) dependencies(to, value, depth);
            else if (draft == 4 && name.startsWith("exclusive") && value.isBoolean()) {
                String bound = name.equals("exclusiveMinimum") ? "minimum" : "maximum";
                if (value.booleanValue() && from.has(bound)) to.set(name, from.get(bound));
            } else if (OF_A_LIST.contains(name) && value.isArray()) to.set(name, list(value, depth));
            else if (OF_ONE.contains(name)) to.set(name, schema(value, depth));
            else if (OF_NAMES.contains(name) && value.isObject()) to.set(name, named(value, depth));
            else to.set(name, value);
        }

        private ArrayNode list(JsonNode schemas, int depth) throws UnreadableSchema {
            ArrayNode to = Json.MAPPER.createArrayNode();
            for (JsonNode each : schemas) to.add(schema(each, depth + 1));
            return to;
        }

        private ObjectNode named(JsonNode schemas, int depth) throws UnreadableSchema {
            ObjectNode to = Json.MAPPER.createObjectNode();
            for (var each : schemas.properties()) to.set(each.getKey(), schema(each.getValue(), depth + 1));
            return to;
        }

        private void dependencies(ObjectNode to, JsonNode value, int depth) throws UnreadableSchema {
            for (var each : value.properties()) {
                boolean isList = each.getValue().isArray();
                to.withObjectProperty(isList ? "dependentRequired" : "dependentSchemas")
                        .set(each.getKey(), isList ? each.getValue() : schema(each.getValue(), depth + 1));
            }
        }

        private String reference(String reference) throws UnreadableSchema {
            int hash = reference.indexOf('#');
            String document = hash < 0 ? reference : reference.substring(0, hash);
            String fragment = hash < 0 ? "" : reference.substring(hash + 1);
            if (document.isEmpty() || document.equals(id)) return at(place, fragment);
            if (others.containsKey(document)) return at(place(document), fragment);
            for (String name : others.keySet()) if (document.endsWith("/" + name)) return at(place(name), fragment);
            throw new UnreadableSchema("it refers to '%s', which is not among its references in the registry."
                    .formatted(Limits.echo(reference)));
        }

        private static String at(String place, String fragment) {
            // A name, unlike a path, is looked for in the whole schema.
            if (!fragment.isEmpty() && !fragment.startsWith("/")) return "#" + fragment;
            return place + fragment;
        }
    }
}
