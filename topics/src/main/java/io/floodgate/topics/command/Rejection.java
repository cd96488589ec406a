package io.floodgate.topics.command;

import io.floodgate.topics.json.JsonOut;
import java.util.ArrayList;
import java.util.List;

/** A definite no: nothing was changed. The details are JSON values by name. */
public record Rejection(ErrorCode code, String message, List<Detail> details) {
    private static final int MOST_CHARS = 2_000;
    private static final int MOST_DETAILS = 20;

    /** One member of {@code error.details}; the value is JSON. */
    public record Detail(String name, String json) {}

    public Rejection {
        details = List.copyOf(details);
    }

    public static Rejection of(ErrorCode code, String message) {
        return new Rejection(code, message, List.of());
    }

    public static Rejection notFound(String kind, String id) {
        String name = kind.substring(0, 1).toUpperCase(java.util.Locale.ROOT) + kind.substring(1);
        return of(ErrorCode.NOT_FOUND, "%s '%s' not found.".formatted(name, id))
                .with("resource_type", kind)
                .with("resource_id", id);
    }

    public Rejection with(String name, String value) {
        return withJson(name, new JsonOut().value(value).toString());
    }

    public Rejection with(String name, long value) {
        return withJson(name, Long.toString(value));
    }

    public Rejection with(String name, double value) {
        return withJson(name, new JsonOut().value(value).toString());
    }

    public Rejection without(String name) {
        return new Rejection(
                code,
                message,
                details.stream().filter(detail -> !detail.name.equals(name)).toList());
    }

    /** With a detail that is JSON already. */
    public Rejection withJson(String name, String json) {
        List<Detail> more = new ArrayList<>(details);
        more.add(new Detail(name, json));
        return new Rejection(code, message, more);
    }

    /** Without any text whose length a client decides. */
    public Rejection shortened() {
        boolean isShort = message.length() <= MOST_CHARS
                && details.size() <= MOST_DETAILS
                && details.stream().allMatch(detail -> detail.json.length() <= MOST_CHARS);
        if (isShort) return this;
        List<Detail> shorter = details.stream()
                .limit(MOST_DETAILS)
                .filter(detail -> detail.json.length() <= MOST_CHARS)
                .toList();
        return new Rejection(code, Limits.cut(message, MOST_CHARS), shorter);
    }

    public Rejection withMessage(String other) {
        return new Rejection(code, other, details);
    }
}
