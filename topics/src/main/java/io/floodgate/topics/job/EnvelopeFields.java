package io.floodgate.topics.job;

import io.floodgate.topics.queue.OrderKey;
import java.util.Set;
import java.util.TreeSet;

/** The members of a job, as far as this system knows them. */
final class EnvelopeFields {
    /** Fields of a job that is a step of a workflow, which a partition sets. */
    private static final Set<String> OF_STEP = Set.of("parent_results", "workflow_id", "workflow_step");

    /** Set by the system; what a client says about them is not looked at (OJS core §5.3). */
    private static final Set<String> SYSTEM = Set.of(
            "state",
            "attempt",
            "created_at",
            "enqueued_at",
            "started_at",
            "completed_at",
            "cancelled_at",
            "discarded_at",
            "activated_at",
            "re_enqueued_at",
            "next_attempt_at",
            "next_retry_at",
            "retry_delay_ms",
            "previous_state",
            "worker_id",
            "lease",
            "error",
            "errors",
            "result",
            "result_stored_at",
            "result_expires_at",
            "result_size_bytes",
            "kept_until",
            "progress",
            "checkpoint",
            "last_checkpoint",
            OwnEnvelope.OWNER);

    /** Understood here and shown, if at all, in canonical form. */
    private static final Set<String> KNOWN = Set.of(
            "specversion",
            "id",
            "type",
            "args",
            "meta",
            "options",
            "queue",
            "priority",
            "timeout_ms",
            "result_ttl",
            "result_size_limit",
            "timeout",
            "scheduled_at",
            "delay_until",
            "delay",
            "expires_at",
            "enqueue_ttl",
            "ttl",
            "retry",
            "retry_policy",
            "max_attempts",
            "visibility_timeout_ms",
            "visibility_timeout",
            "tags",
            "unique",
            "rate_limit",
            "schema",
            "pending",
            "on_worker_lost",
            OrderKey.NAME,
            OrderKey.EXTENSION_NAME);

    /** Fields that may be in {@code options}. */
    static final Set<String> OPTIONS = options();

    private EnvelopeFields() {}

    private static Set<String> options() {
        Set<String> options = new TreeSet<>(KNOWN);
        options.removeAll(Set.of("specversion", "id", "type", "args", "options"));
        options.addAll(Set.of("metadata", "version"));
        return Set.copyOf(options);
    }

    /** @param isOwn a partition has put the job together */
    static boolean isCopied(String name, boolean isOwn) {
        return !KNOWN.contains(name) && !SYSTEM.contains(name) && (isOwn || !OF_STEP.contains(name));
    }
}
