package io.floodgate.gateway.explain;

import io.floodgate.topics.json.Json;
import io.floodgate.topics.json.Timestamps;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** What a partition has answered, to be looked into: what is missing is null, 0, false or empty. */
record Facts(JsonNode json) {
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
        return has(name) ? json.path(name).asString() : null;
    }

    long number(String name) {
        return has(name) ? json.path(name).longValue() : 0;
    }

    @Nullable
    Long optionalNumber(String name) {
        return has(name) ? (Long) number(name) : null;
    }

    double decimal(String name) {
        return has(name) ? json.path(name).doubleValue() : 0;
    }

    boolean flag(String name) {
        return has(name) && json.path(name).booleanValue();
    }

    @Nullable
    Instant time(String name) {
        String text = text(name);
        return text == null ? null : Timestamps.parse(text).orElse(null);
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
        for (JsonNode element : json.path(name)) texts.add(element.asString());
        return texts;
    }
}
