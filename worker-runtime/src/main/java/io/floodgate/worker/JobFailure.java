package io.floodgate.worker;

import io.floodgate.topics.command.ErrorReport;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.json.Json;
import io.floodgate.topics.json.JsonOut;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Thrown by a handler to say how its job failed, and whether trying again can help. */
public final class JobFailure extends Exception {
    private static final long serialVersionUID = 1L;
    private static final int MAX_NAME_CHARS = 255;

    private final String type;
    private final String code;
    private final @Nullable Boolean retryable;
    private final transient Map<String, Object> details;
    private final @Nullable Instant rateLimitUntil;

    private JobFailure(
            String type,
            String code,
            String message,
            @Nullable Boolean retryable,
            Map<String, Object> details,
            @Nullable Instant rateLimitUntil) {
        super(message);
        this.type = type;
        this.code = code;
        this.retryable = retryable;
        this.details = details;
        this.rateLimitUntil = rateLimitUntil;
    }

    /** A failure that the job's retry policy judges, by its type among others. */
    public static JobFailure of(String type, String message) {
        return new JobFailure(type, "handler_error", message, null, Map.of(), null);
    }

    /** A failure that no further attempt can mend. */
    public static JobFailure permanent(String type, String message) {
        return of(type, message).retryable(false);
    }

    public JobFailure retryable(boolean value) {
        return new JobFailure(type, code, text(), value, details, rateLimitUntil);
    }

    public JobFailure code(String other) {
        return new JobFailure(type, other, text(), retryable, details, rateLimitUntil);
    }

    /**
     * Freezes the job's rate limit key until then, as the {@code Retry-After} of a 429 asks: no job with the same key
     * starts before; of a job without a key, none of its queue. It says nothing against the type: its circuit breaker
     * does not count this as a failure.
     */
    public JobFailure rateLimitUntil(Instant value) {
        return new JobFailure(type, code, text(), retryable, details, value);
    }

    /** Adds a member to the error's details; anything that Jackson can write. */
    public JobFailure with(String name, Object value) {
        Map<String, Object> more = new LinkedHashMap<>(details);
        more.put(name, value);
        return new JobFailure(type, code, text(), retryable, more, rateLimitUntil);
    }

    ErrorReport report() {
        return new ErrorReport(
                Limits.cut(type, MAX_NAME_CHARS - 1),
                Limits.cut(code, MAX_NAME_CHARS - 1),
                Limits.cut(text(), ErrorReport.MAX_MESSAGE_CHARS - 1),
                retryable,
                written(),
                rateLimitUntil);
    }

    /** Returns the failure as JSON. A fault of the details must not hide the handler's message. */
    private byte[] written() {
        try {
            byte[] json = Json.MAPPER.writeValueAsBytes(details);
            if (json.length <= ErrorReport.MAX_DETAILS_BYTES) return json;
            return JsonOut.object()
                    .field("truncated", true)
                    .field("size_bytes", json.length)
                    .endObject()
                    .toBytes();
        } catch (RuntimeException | StackOverflowError unwritable) {
            return JsonOut.object().field("unwritable", true).endObject().toBytes();
        }
    }

    private String text() {
        String message = getMessage();
        return message == null ? "" : message;
    }
}
