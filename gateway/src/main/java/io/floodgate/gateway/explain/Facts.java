package io.floodgate.gateway.explain;

import io.floodgate.topics.json.Json;
import io.floodgate.topics.json.Timestamps;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What a partition has answered, to be looked into: what is missing is null, 0, false or empty. So is what is of another type: some
 * of it is what workers say about themselves.
 */
record Facts(JsonNode json) implements Values {
    static final Facts NONE = of(new byte[] {'{', '}'});

    static Facts of(byte[] object) {
        return new Facts(Json.tree(object));
    }

    boolean has(String name) {
        JsonNode found = json.path(name);
        return !found.isMissingNode() && !found.isNull();
    }

    @Nullable
    String text(String name) {
        JsonNode found = json.path(name);
        return has(name) && found.isValueNode() ? found.asString() : null;
    }

    long number(String name) {
        Long number = optionalNumber(name);
        return number == null ? 0 : number;
    }

    @Nullable
    Long optionalNumber(String name) {
        JsonNode found = json.path(name);
        return found.isNumber() && found.canConvertToLong()
                ? (Long) found.decimalValue().longValue()
                : null;
    }

    double decimal(String name) {
        JsonNode found = json.path(name);
        return found.isNumber() ? found.doubleValue(0) : 0;
    }

    boolean flag(String name) {
        return json.path(name).booleanValue(false);
    }

    @Nullable
    Instant time(String name) {
        String text = text(name);
        return text == null ? null : Timestamps.parse(text).orElse(null);
    }

    /**
     * An object is true.
     *
     * @param name may lead into objects, as {@code config.max_depth}
     */
    @Override
    public @Nullable Object value(String name) {
        int dot = name.indexOf('.');
        if (dot >= 0) return inside(name.substring(0, dot)).value(name.substring(dot + 1));
        JsonNode found = json.path(name);
        if (found.isNumber()) return found.isIntegralNumber() ? optionalNumber(name) : (Object) found.doubleValue(0);
        if (found.isBoolean()) return found.booleanValue(false);
        if (found.isArray()) return texts(name);
        if (found.isObject()) return true;
        return isTime(name) ? time(name) : text(name);
    }

    private static boolean isTime(String name) {
        return name.endsWith("_at") || name.endsWith("since") || name.endsWith("until") || name.equals("at");
    }

    Facts inside(String name) {
        return new Facts(json.path(name));
    }

    List<Facts> list(String name) {
        List<Facts> elements = new ArrayList<>();
        for (JsonNode element : json.path(name)) elements.add(new Facts(element));
        return elements;
    }

    List<String> texts(String name) {
        List<String> texts = new ArrayList<>();
        JsonNode found = json.path(name);
        // The values of an object are no list.
        if (!found.isArray()) return texts;
        for (JsonNode element : found) if (element.isValueNode()) texts.add(element.asString());
        return texts;
    }
}
