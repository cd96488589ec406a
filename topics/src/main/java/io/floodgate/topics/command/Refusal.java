package io.floodgate.topics.command;

import io.floodgate.topics.json.JsonOut;
import java.util.ArrayList;
import java.util.List;

/** A definite no: nothing was changed. The details are JSON values by name. */
public record Refusal(ErrorCode code, String message, List<Detail> details) {
    /** One member of {@code error.details}; the value is JSON. */
    public record Detail(String name, String json) {}

    public Refusal {
        details = List.copyOf(details);
    }

    public static Refusal of(ErrorCode code, String message) {
        return new Refusal(code, message, List.of());
    }

    public static Refusal notFound(String kind, String id) {
        String name = kind.substring(0, 1).toUpperCase(java.util.Locale.ROOT) + kind.substring(1);
        return of(ErrorCode.NOT_FOUND, "%s '%s' not found.".formatted(name, id))
                .with("resource_type", kind)
                .with("resource_id", id);
    }

    public Refusal with(String name, String value) {
        return withJson(name, new JsonOut().value(value).toString());
    }

    public Refusal with(String name, long value) {
        return withJson(name, Long.toString(value));
    }

    private Refusal withJson(String name, String json) {
        List<Detail> more = new ArrayList<>(details);
        more.add(new Detail(name, json));
        return new Refusal(code, message, more);
    }

    public Refusal withMessage(String other) {
        return new Refusal(code, other, details);
    }
}
