package io.floodgate.topics.command;

import java.util.Optional;

/** Why a command is rejected: the code on the wire, its names in the OJS catalogues, and whether trying again can help. */
public enum ErrorCode {
    INVALID_PAYLOAD("invalid_payload", "INVALID_PAYLOAD", 1000, false),
    INVALID_REQUEST("invalid_request", "INVALID_REQUEST", 1000, false),
    INVALID_JOB_TYPE("invalid_request", "INVALID_JOB_TYPE", 1001, false),
    INVALID_QUEUE("invalid_request", "INVALID_QUEUE", 1002, false),
    INVALID_ARGS("invalid_request", "INVALID_ARGS", 1003, false),
    INVALID_RETRY_POLICY("invalid_request", "INVALID_RETRY_POLICY", 1006, false),
    /** Arguments of a job do not match their schema. */
    SCHEMA_VALIDATION("schema_validation", "SCHEMA_VALIDATION_FAILED", 1008, false),
    /** What a worker says about the versions that it takes. */
    INVALID_VERSION_RANGE("INVALID_VERSION_RANGE", "INVALID_REQUEST", 1000, false),
    ENVELOPE_TOO_LARGE("envelope_too_large", "PAYLOAD_TOO_LARGE", 1009, false),
    METADATA_TOO_LARGE("envelope_too_large", "METADATA_TOO_LARGE", 1010, false),
    /** The job stays active: its worker stores the result elsewhere, and acknowledges with a reference (OJS results §7.2). */
    RESULT_TOO_LARGE("RESULT_TOO_LARGE", "PAYLOAD_TOO_LARGE", 1009, false),
    /** The job is there, and its result is no longer (OJS results §8.2). */
    RESULT_PRUNED("RESULT_PRUNED", "NOT_FOUND", 3000, false),
    BATCH_SIZE_EXCEEDED("BATCH_SIZE_EXCEEDED", "BATCH_SIZE_EXCEEDED", 1009, false),
    JOB_TYPE_NOT_ALLOWED("JOB_TYPE_NOT_ALLOWED", "JOB_TYPE_NOT_ALLOWED", 1001, false),
    UNAUTHENTICATED("unauthenticated", "UNAUTHENTICATED", 5000, false),
    PERMISSION_DENIED("PERMISSION_DENIED", "PERMISSION_DENIED", 5001, false),
    NOT_FOUND("not_found", "NOT_FOUND", 3000, false),
    INVALID_WORKFLOW("invalid_workflow", "INVALID_WORKFLOW", 1000, false),
    METHOD_NOT_ALLOWED("method_not_allowed", "METHOD_NOT_ALLOWED", 3000, false),
    DUPLICATE("duplicate", "DUPLICATE_JOB", 3001, false),
    /** A job cannot create the queue here, and no operator has. */
    QUEUE_NOT_FOUND("QUEUE_NOT_FOUND", "NOT_FOUND", 3000, false),
    /** The queue is being deleted, and takes nothing in. */
    QUEUE_DRAINING("queue_draining", "QUEUE_DRAINING", 3004, false),
    CONFLICT("conflict", "INVALID_STATE_TRANSITION", 1005, false),
    UNSUPPORTED("unsupported", "UNSUPPORTED_FEATURE", 7000, false),
    EXTENSION_NOT_SUPPORTED("EXTENSION_NOT_SUPPORTED", "UNSUPPORTED_FEATURE", 7000, false),
    REQUEST_TIMEOUT("request_timeout", "REQUEST_TIMEOUT", 2002, true),
    INTERNAL_ERROR("internal_error", "INTERNAL_ERROR", 2000, false),
    BACKEND_UNAVAILABLE("BACKEND_UNAVAILABLE", "BACKEND_UNAVAILABLE", 2001, true),
    QUEUE_FULL("QUEUE_FULL", "QUEUE_FULL", 6001, true),
    /** A batch that does not fit into an empty queue, either. */
    BATCH_EXCEEDS_BOUND("QUEUE_FULL", "QUEUE_FULL", 6001, false),
    /** The queue has room, but not for more of this tenant. */
    TENANT_LIMIT_EXCEEDED("TENANT_LIMIT_EXCEEDED", "TENANT_LIMIT_EXCEEDED", 6001, true),
    RATE_LIMITED("rate_limited", "RATE_LIMITED", 6000, true),
    TOO_MANY_QUEUES("TOO_MANY_QUEUES", "RATE_LIMITED", 6000, true),
    TOO_MANY_WORKFLOWS("TOO_MANY_WORKFLOWS", "RATE_LIMITED", 6000, true),
    TOO_MANY_SIGNALS("TOO_MANY_SIGNALS", "RATE_LIMITED", 6000, true),
    MEMORY_FULL("BACKEND_UNAVAILABLE", "BACKEND_UNAVAILABLE", 2001, true);

    private final String wire;
    private final String canonical;
    private final int number;
    private final boolean retryable;

    ErrorCode(String wire, String canonical, int number, boolean retryable) {
        this.wire = wire;
        this.canonical = canonical;
        this.number = number;
        this.retryable = retryable;
    }

    /** {@code error.code}. */
    public String wire() {
        return wire;
    }

    /** {@code error.canonical_code}: the code of the OJS error specification. */
    public String canonical() {
        return canonical;
    }

    /** {@code error.ojs_code}: the number of the OJS error catalogue. */
    public String catalogued() {
        return "OJS-" + number;
    }

    public boolean retryable() {
        return retryable;
    }

    /**
     * Whether the same command may yet be executed: a rule that failed may be mended, and what it was about be tried
     * again.
     */
    public boolean mayPass() {
        return retryable || this == INTERNAL_ERROR;
    }

    public static Optional<ErrorCode> parse(String name) {
        for (ErrorCode code : values()) if (code.name().equals(name)) return Optional.of(code);
        return Optional.empty();
    }
}
