package io.floodgate.processor.simulation;

import io.floodgate.topics.JobId;
import io.floodgate.topics.retry.RetryPolicy;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A job of the {@link Reference}. */
final class RefJob {
    private static final long NEVER = Long.MAX_VALUE;

    final JobId id;
    final String name;
    final Submission wish;
    final long bytes;
    final List<String> errors = new ArrayList<>();
    private String state = "";
    private final Runnable changed;
    int attempt;
    int priority;
    long rank;
    long lease;
    long leaseUntil;
    long leaseLength;
    long startedAt;
    long nextAttemptAt;
    boolean deadLetter;
    String queue;
    /** Among the jobs with its order key. */
    long number;

    boolean isPassed;
    long holdsUntil = NEVER;
    RetryPolicy retry;

    @Nullable
    Long timeout;

    @Nullable
    Long visibility;
    /** The queue it died in, if it is in one of dead letters. */
    @Nullable
    String origin;

    long deadSince;

    @Nullable
    String worker;

    /** The fetch it was the answer to, until something is heard of it. */
    @Nullable
    Long handedOutIn;

    /** When its worker first named all its jobs, and not this one. */
    @Nullable
    Long missedAt;

    @Nullable
    Long scheduledAt;

    @Nullable
    Long expiresAt;

    @Nullable
    Long endedAt;

    /** @param changed to be run whenever its state has changed */
    RefJob(JobId id, Submission wish, Runnable changed) {
        this.changed = changed;
        this.id = id;
        name = id.toString();
        this.wish = wish;
        bytes = wish.bytes();
        queue = wish.queue();
        priority = wish.priority();
        retry = wish.retry();
        timeout = wish.timeout();
        visibility = wish.visibility();
    }

    String state() {
        return state;
    }

    void become(String now) {
        state = now;
        changed.run();
    }

    boolean is(String other) {
        return state.equals(other);
    }

    boolean isTerminal() {
        return is("completed") || is("cancelled") || is("discarded");
    }

    boolean isDeadLetter() {
        return deadLetter || (origin != null && is("available"));
    }

    /** Since when it is one. */
    long diedAt() {
        return deadLetter && endedAt != null ? endedAt : deadSince;
    }

    void end(String terminal, long now) {
        become(terminal);
        endedAt = now;
    }

    long mustEndAt() {
        return startedAt + (timeout == null ? 1_800_000 : timeout);
    }

    /** When something will happen to it by itself. */
    long wakesAt() {
        long expiry = expiresAt == null || origin != null ? NEVER : expiresAt;
        return switch (state) {
            case "scheduled" -> Math.min(expiry, scheduledAt == null ? NEVER : scheduledAt);
            case "retryable" -> Math.min(expiry, Math.min(nextAttemptAt, isPassed ? NEVER : holdsUntil));
            case "available", "pending" -> expiry;
            case "active" -> Math.min(leaseUntil, mustEndAt());
            default -> NEVER;
        };
    }

    /** As {@link Shown} words it. */
    String text(boolean complete) {
        StringBuilder text = new StringBuilder(complete ? name + " " : "");
        text.append("%s p%d %s attempt %d".formatted(queue, priority, state, attempt));
        if (is("active")) {
            if (worker != null) text.append(" worker_id ").append(worker);
            text.append(" lease ").append(lease).append(" lease_expires_at ").append(leaseUntil);
        }
        if (is("retryable")) text.append(" next_attempt_at ").append(nextAttemptAt);
        if (is("scheduled")) text.append(" scheduled_at ").append(scheduledAt);
        if (expiresAt != null) text.append(" expires_at ").append(expiresAt);
        if (complete && !errors.isEmpty()) text.append(" errors ").append(String.join(",", errors));
        return text.toString();
    }
}
