package io.floodgate.worker;

import io.floodgate.topics.command.ErrorReport;
import io.floodgate.topics.json.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Thrown by a handler to say how its job failed, and whether trying again can help. */
public final class JobFailure extends Exception {
    private static final long serialVersionUID = 1L;

    private final String type;
    private final String code;
    private final @Nullable Boolean retryable;
    private final transient Map<String, Object> details;

    private JobFailure(
            String type, String code, String message, @Nullable Boolean retryable, Map<String, Object> details) {
        super(message);
        this.type = type;
        this.code = code;
        this.retryable = retryable;
        this.details = details;
    }

    /** A failure that the job's retry policy judges, by its type among others. */
    public static JobFailure of(String type, String message) {
        return new JobFailure(type, "handler_error", message, null, Map.of());
    }

    /** A failure that no further attempt can mend. */
    public static JobFailure permanent(String type, String message) {
        return of(type, message).retryable(false);
    }

    public JobFailure retryable(boolean value) {
        return new JobFailure(type, code, text(), value, details);
    }

    public JobFailure code(String other) {
        return new JobFailure(type, other, text(), retryable, details);
    }

    /** Adds a member to the error's details; anything that Jackson can write. */
    public JobFailure with(String name, Object value) {
        Map<String, Object> more = new LinkedHashMap<>(details);
        more.put(name, value);
        return new JobFailure(type, code, text(), retryable, more);
    }

    ErrorReport report() {
        return new ErrorReport(type, code, text(), retryable, Json.MAPPER.writeValueAsBytes(details));
    }

    private String text() {
        String message = getMessage();
        return message == null ? "" : message;
    }
}
