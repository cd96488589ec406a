package io.floodgate.topics.schema;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/**
 * The changes between two schemas by which values that the one accepts are rejected by the other (OJS schema registry §8.2).
 * A keyword that is not understood here counts as breaking if it has changed in any way.
 */
final class SchemaChanges {
    private static final int MOST = 20;
    private static final int MOST_COMPARED = 20_000;
    /** Narrower the lower they are. */
    private static final List<String> UPPER =
            List.of("maxLength", "maximum", "exclusiveMaximum", "maxItems", "maxProperties", "maxContains");
    /** Narrower the higher they are. */
    private static final List<String> LOWER =
            List.of("minLength", "minimum", "exclusiveMinimum", "minItems", "minProperties", "minContains");

    private static final Set<String> COMPARED = Set.of(
            "type", "enum", "const", "required", "properties", "additionalProperties", "items", "prefixItems", "$ref");
    private static final Set<String> WITHOUT_EFFECT = Set.of(
            "$schema",
            "$id",
            "$comment",
            "$defs",
            "$anchor",
            "$vocabulary",
            "definitions",
            "title",
            "description",
            "default",
            "examples",
            "deprecated",
            "readOnly",
            "writeOnly",
            "contentEncoding",
            "contentMediaType",
            "contentSchema");

    private final JsonNode writers;
    private final JsonNode readers;
    private final boolean removalBreaks;
    private final List<String> found = new ArrayList<>();
    private final Set<String> seen = new HashSet<>();
    private int compared;

    private SchemaChanges(JsonNode writers, JsonNode readers, boolean removalBreaks) {
        this.writers = writers;
        this.readers = readers;
        this.removalBreaks = removalBreaks;
    }

    /** What breaks a rule; nothing if the next version may come. */
    static List<String> breaking(Compatibility rule, JsonNode before, JsonNode after) {
        List<String> breaking = new ArrayList<>();
        if (rule == Compatibility.BACKWARD || rule == Compatibility.FULL)
            breaking.addAll(new SchemaChanges(before, after, rule == Compatibility.BACKWARD).find());
        if (rule == Compatibility.FORWARD || rule == Compatibility.FULL)
            for (String change : new SchemaChanges(after, before, false).find())
                breaking.add("For the version before: " + change);
        return breaking;
    }

    private List<String> find() {
        compare(writers, readers, "args");
        return found;
    }

    private void breaks(String message) {
        if (found.size() < MOST) found.add(message);
    }

    /** Compares what is written by one schema with what is read by the other. */
    private void compare(JsonNode written, JsonNode read, String at) {
        if (found.size() >= MOST || ++compared > MOST_COMPARED) return;
        if ((isMoreThanReference(written) || isMoreThanReference(read)) && !written.equals(read)) {
            breaks("'$ref' of '%s', or what stands beside it, was changed".formatted(at));
            return;
        }
        JsonNode writer = resolved(writers, written);
        JsonNode reader = resolved(readers, read);
        if (writer.equals(reader)
                && !writer.isMissingNode()
                && writers.path("$defs").equals(readers.path("$defs"))) return;
        if (reader.isMissingNode() || (reader.isBoolean() && reader.booleanValue())) return;
        if (reader.isBoolean()) {
            breaks("'%s' accepts nothing any more".formatted(at));
            return;
        }
        types(writer, reader, at);
        values(writer, reader, at);
        bounds(writer, reader, at);
        members(writer, reader, at);
        elements(writer, reader, at);
        others(writer, reader, at);
    }

    private static boolean isMoreThanReference(JsonNode schema) {
        return schema.has("$ref")
                && schema.propertyNames().stream()
                        .anyMatch(name -> !name.equals("$ref") && !WITHOUT_EFFECT.contains(name));
    }

    /** Follows references within the document; a circle is compared once. */
    private JsonNode resolved(JsonNode document, JsonNode schema) {
        JsonNode at = schema;
        for (int i = 0; i < 20 && at.path("$ref").isString(); i++) {
            String reference = at.path("$ref").stringValue();
            if (!reference.equals("#") && !reference.startsWith("#/")) return schema;
            boolean isNew = seen.add(System.identityHashCode(document) + reference + System.identityHashCode(schema));
            if (!isNew) return MissingNode.getInstance();
            at = document.at(reference.substring(1));
        }
        return at;
    }

    private void types(JsonNode writer, JsonNode reader, String at) {
        Set<String> accepted = types(reader);
        if (accepted.isEmpty()) return;
        Set<String> written = types(writer);
        for (String type : written)
            if (!accepted.contains(type) && !(type.equals("integer") && accepted.contains("number")))
                breaks("The type of '%s' was %s and is %s".formatted(at, written, accepted));
        if (written.isEmpty() && !writer.has("enum") && !writer.has("const"))
            breaks("The type of '%s' was any and is %s".formatted(at, accepted));
    }

    private static Set<String> types(JsonNode schema) {
        Set<String> types = new TreeSet<>();
        JsonNode type = schema.path("type");
        if (type.isString()) types.add(type.stringValue());
        else type.forEach(each -> types.add(each.asString("")));
        return types;
    }

    private void values(JsonNode writer, JsonNode reader, String at) {
        List<JsonNode> accepted = listed(reader);
        if (accepted == null) return;
        List<JsonNode> written = listed(writer);
        if (written == null) breaks("'%s' was not limited to certain values".formatted(at));
        else
            for (JsonNode value : written)
                if (!accepted.contains(value))
                    breaks("The value %s of '%s' is not accepted any more".formatted(value, at));
    }

    private static @Nullable List<JsonNode> listed(JsonNode schema) {
        if (schema.has("const")) return List.of(schema.path("const"));
        if (!schema.has("enum")) return null;
        return schema.path("enum").valueStream().toList();
    }

    private void bounds(JsonNode writer, JsonNode reader, String at) {
        for (String bound : UPPER) bound(writer, reader, bound, 1, at);
        for (String bound : LOWER) bound(writer, reader, bound, -1, at);
    }

    private void bound(JsonNode writer, JsonNode reader, String bound, int sign, String at) {
        if (!reader.path(bound).isNumber()) return;
        JsonNode before = writer.path(bound);
        boolean isWider = !before.isNumber()
                || sign * before.decimalValue().compareTo(reader.path(bound).decimalValue()) > 0;
        if (isWider) breaks("'%s' of '%s' was narrowed to %s".formatted(bound, at, reader.path(bound)));
    }

    private void members(JsonNode writer, JsonNode reader, String at) {
        Set<String> required = new TreeSet<>();
        writer.path("required").forEach(name -> required.add(name.asString("")));
        for (JsonNode name : reader.path("required"))
            if (!required.contains(name.asString("")))
                breaks("Required field '%s' of '%s' was added".formatted(name.asString(""), at));
        JsonNode accepted = reader.path("properties");
        JsonNode others = reader.path("additionalProperties");
        for (var member : writer.path("properties").properties()) {
            String path = at + "." + member.getKey();
            if (accepted.has(member.getKey())) compare(member.getValue(), accepted.path(member.getKey()), path);
            else if (removalBreaks || !others.asBoolean(true)) breaks("Field '%s' was removed".formatted(path));
            else if (others.isObject()) compare(member.getValue(), others, path);
        }
        // What is not described may be of any type: only closing it, or describing it, can break it.
        if (others.isMissingNode()) return;
        JsonNode before = writer.path("additionalProperties");
        if (others.isBoolean() && !others.booleanValue()) {
            if (before.asBoolean(true)) breaks("'additionalProperties' of '%s' was set to false".formatted(at));
        } else if (!before.isBoolean() || before.booleanValue()) {
            compare(before, others, at + ".*");
        }
    }

    private void elements(JsonNode writer, JsonNode reader, String at) {
        JsonNode accepted = reader.path("prefixItems");
        JsonNode written = writer.path("prefixItems");
        for (int i = 0; i < Math.max(accepted.size(), written.size()); i++) {
            JsonNode read = i < accepted.size() ? accepted.get(i) : reader.path("items");
            JsonNode wrote = i < written.size() ? written.get(i) : writer.path("items");
            boolean isWritten = !wrote.isBoolean() || wrote.booleanValue();
            if (isWritten && !isBeyond(writer, i)) compare(wrote, read, "%s[%d]".formatted(at, i));
        }
        JsonNode rest = writer.path("items");
        boolean isWritten = (!rest.isBoolean() || rest.booleanValue()) && !isBeyond(writer, written.size());
        if (isWritten && reader.has("items")) compare(rest, reader.path("items"), at + "[*]");
    }

    private static boolean isBeyond(JsonNode writer, int index) {
        return writer.path("maxItems").isNumber() && writer.path("maxItems").longValue() <= index;
    }

    private void others(JsonNode writer, JsonNode reader, String at) {
        for (var keyword : reader.properties()) {
            String name = keyword.getKey();
            if (COMPARED.contains(name)
                    || WITHOUT_EFFECT.contains(name)
                    || UPPER.contains(name)
                    || LOWER.contains(name)) continue;
            if (!keyword.getValue().equals(writer.path(name))) breaks("'%s' of '%s' was changed".formatted(name, at));
        }
    }
}
