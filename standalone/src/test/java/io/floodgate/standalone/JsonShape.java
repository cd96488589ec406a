package io.floodgate.standalone;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** Checks values against the part of JSON Schema that our OpenAPI document uses; another keyword is a fault, too. */
final class JsonShape {
    private static final Set<String> KNOWN = Set.of(
            "$ref",
            "type",
            "properties",
            "required",
            "items",
            "enum",
            "additionalProperties",
            "format",
            "maxLength",
            "description");

    private final JsonNode document;

    JsonShape(JsonNode document) {
        this.document = document;
    }

    List<String> faults(JsonNode value, JsonNode schema, String where) {
        List<String> faults = new ArrayList<>();
        check(value, schema, where, faults);
        return faults;
    }

    private void check(JsonNode value, JsonNode schema, String where, List<String> faults) {
        if (schema.has("$ref")) {
            check(value, document.at(schema.path("$ref").asString().substring(1)), where, faults);
            return;
        }
        schema.propertyStream()
                .filter(keyword -> !KNOWN.contains(keyword.getKey()))
                .forEach(keyword -> faults.add("%s: unknown keyword '%s'".formatted(where, keyword.getKey())));
        String type = schema.path("type").asString("");
        if (!isOf(type, value)) faults.add("%s: %s is no %s".formatted(where, value, type));
        JsonNode options = schema.path("enum");
        if (!options.isMissingNode() && options.valueStream().noneMatch(value::equals))
            faults.add("%s: %s is none of %s".formatted(where, value, options));
        schema.path("required").forEach(name -> {
            if (!value.has(name.asString())) faults.add("%s: '%s' is missing".formatted(where, name.asString()));
        });
        JsonNode properties = schema.path("properties");
        JsonNode others = schema.path("additionalProperties");
        if (value.isObject())
            value.propertyStream().forEach(member -> {
                JsonNode shape = properties.has(member.getKey()) ? properties.path(member.getKey()) : others;
                if (!shape.isMissingNode()) check(member.getValue(), shape, where + "." + member.getKey(), faults);
            });
        JsonNode items = schema.path("items");
        if (value.isArray() && !items.isMissingNode())
            for (int i = 0; i < value.size(); i++) check(value.get(i), items, "%s[%d]".formatted(where, i), faults);
    }

    private static boolean isOf(String type, JsonNode value) {
        return switch (type) {
            case "object" -> value.isObject();
            case "array" -> value.isArray();
            case "string" -> value.isString();
            case "integer" -> value.isIntegralNumber();
            case "number" -> value.isNumber();
            case "boolean" -> value.isBoolean();
            default -> true;
        };
    }
}
