package io.floodgate.topics.command;

import io.floodgate.topics.json.Json;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.Timestamps;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * How a run failed, as its worker reports it (OJS core §8). {@code details} is a JSON object; {@code retryable} is null
 * when the worker left it to the policy.
 *
 * @param rateLimitUntil what the job talks to wants to be left alone until then (OJS rate limiting §9.1)
 */
public record ErrorReport(
        String type,
        String code,
        String message,
        @Nullable Boolean retryable,
        byte[] details,
        @Nullable Instant rateLimitUntil) {
    /** Longer messages are cut: a stack trace without end must not make the job unreadable. */
    public static final int MAX_MESSAGE_CHARS = 8_192;

    public static final int MAX_DETAILS_BYTES = 32_768;
    private static final byte[] NO_DETAILS = {'{', '}'};
    private static final String DEFAULT_CODE = "handler_error";

    public ErrorReport(String type, String code, String message, @Nullable Boolean retryable, byte[] details) {
        this(type, code, message, retryable, details, null);
    }

    public static ErrorReport of(String type, String message) {
        return new ErrorReport(type, type, message, null, NO_DETAILS);
    }

    /** Anything an OJS client sends as {@code error}; what is missing is filled in, nothing is rejected. */
    public static ErrorReport read(@Nullable JsonNode error) {
        String message = text(error, "message");
        String code = text(error, "code");
        String type = text(error, "type");
        JsonNode details = error == null ? null : error.get("details");
        if (type == null) type = text(details, "error_class");
        JsonNode retryable = error == null ? null : error.get("retryable");
        String until = text(error, "rate_limit_until");
        String known = code == null ? DEFAULT_CODE : code;
        return new ErrorReport(
                cut(type == null ? known : type, 255),
                cut(known, 255),
                cut(message == null ? "" : message, MAX_MESSAGE_CHARS),
                (retryable != null && retryable.isBoolean()) ? retryable.booleanValue() : null,
                details(details),
                until == null ? null : Timestamps.parse(until).orElse(null));
    }

    static ErrorReport read(JsonFields in, String name) {
        return read(in.node(name));
    }

    static void write(JsonOut out, String name, ErrorReport error) {
        error.write(out.beginObject(name))
                .optional("rate_limit_until", error.rateLimitUntil)
                .endObject();
    }

    private static byte[] details(@Nullable JsonNode details) {
        if (details == null || !details.isObject()) return NO_DETAILS;
        byte[] json = Json.textBytes(details);
        if (json.length <= MAX_DETAILS_BYTES) return json;
        return JsonOut.object()
                .field("truncated", true)
                .field("size_bytes", json.length)
                .endObject()
                .toBytes();
    }

    private static String cut(String text, int max) {
        if (text.length() <= max) return text;
        return text.substring(0, Character.isHighSurrogate(text.charAt(max - 1)) ? max - 1 : max);
    }

    private static @Nullable String text(@Nullable JsonNode node, String name) {
        JsonNode value = node == null ? null : node.get(name);
        return value != null && value.isString() ? Json.text(value) : null;
    }

    /** The members of the error object; the caller adds when and where. */
    public JsonOut write(JsonOut out) {
        out.field("type", type).field("code", code).field("message", message);
        if (retryable != null) out.field("retryable", retryable);
        return out.fieldRaw("details", details);
    }
}
