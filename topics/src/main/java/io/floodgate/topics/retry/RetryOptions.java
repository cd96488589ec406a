package io.floodgate.topics.retry;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.floodgate.topics.json.Durations;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.Members;
import io.floodgate.topics.retry.RetryPolicy.Intervals;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The retry options of a job or a queue: any part of a policy, to be laid over another one (OJS retry §8.1). */
public record RetryOptions(
        @Nullable Integer maxAttempts,
        @Nullable Duration initial,
        @Nullable Duration max,
        @Nullable Double coefficient,
        @Nullable Backoff backoff,
        @Nullable Boolean jitter,
        @Nullable List<String> nonRetryableErrors,
        @Nullable Boolean deadLetter) {
    /** Most characters of an error type. */
    static final int MAX_ERROR_CHARS = 255;

    /**
     * Most bytes of all error types together: they are part of what changes about a job, which is read and written with
     * every step.
     */
    static final int MAX_ERROR_BYTES = 4 * 1024;

    public static final RetryOptions NONE = new RetryOptions(null, null, null, null, null, null, null, null);

    public RetryOptions {
        nonRetryableErrors = nonRetryableErrors == null ? null : List.copyOf(nonRetryableErrors);
    }

    public static RetryOptions ofMaxAttempts(JsonNode value) throws UnreadableRetry {
        return new RetryOptions(RetryReader.maxAttempts(value), null, null, null, null, null, null, null);
    }

    /** Reads every spelling in use: snake case, camel case, ISO durations, Go durations, milliseconds. */
    public static RetryOptions read(Members retry) throws UnreadableRetry {
        return new RetryReader().read(retry);
    }

    /** Every part of the policy. */
    public static RetryOptions of(RetryPolicy policy) {
        Intervals intervals = policy.intervals();
        return new RetryOptions(
                policy.maxAttempts(),
                intervals.initial(),
                intervals.max(),
                intervals.coefficient(),
                intervals.backoff(),
                intervals.jitter(),
                policy.nonRetryableErrors(),
                policy.deadLetterOnExhaustion());
    }

    /** Returns the part that the error types take of a bound on bytes. */
    public int errorBytes() {
        if (nonRetryableErrors == null) return 0;
        int bytes = 0;
        for (String error : nonRetryableErrors) bytes += error.getBytes(UTF_8).length;
        return bytes;
    }

    public static final Set<String> NAMES = Set.of(
            "max_attempts",
            "initial_interval",
            "max_interval",
            "backoff_coefficient",
            "backoff_strategy",
            "jitter",
            "non_retryable_errors",
            "on_exhaustion");

    /** Returns Floodgate's name of the field that a client has spelled like this. */
    public static Optional<String> nameOf(String spelled) {
        return RetryReader.nameOf(spelled);
    }

    public boolean isNone() {
        return equals(NONE);
    }

    /** Returns these options over {@code base}, field by field. */
    public RetryPolicy over(RetryPolicy base) {
        if (isNone()) return base;
        Intervals b = base.intervals();
        return new RetryPolicy(
                maxAttempts != null ? maxAttempts : base.maxAttempts(),
                new Intervals(
                        initial != null ? initial : b.initial(),
                        max != null ? max : longest(b.max(), initial),
                        coefficient != null ? coefficient : b.coefficient(),
                        backoff != null ? backoff : b.backoff(),
                        jitter != null ? jitter : b.jitter()),
                nonRetryableErrors != null ? nonRetryableErrors : base.nonRetryableErrors(),
                deadLetter != null ? deadLetter : base.deadLetterOnExhaustion());
    }

    /** A job that only asks for a longer first interval must not be cut by an inherited cap below it. */
    private static Duration longest(Duration max, @Nullable Duration initial) {
        return initial != null && initial.compareTo(max) > 0 ? initial : max;
    }

    /** Returns these options over the others, field by field. */
    public RetryOptions over(RetryOptions other) {
        if (isNone()) return other;
        return new RetryOptions(
                maxAttempts != null ? maxAttempts : other.maxAttempts,
                initial != null ? initial : other.initial,
                max != null ? max : other.max,
                coefficient != null ? coefficient : other.coefficient,
                backoff != null ? backoff : other.backoff,
                jitter != null ? jitter : other.jitter,
                nonRetryableErrors != null ? nonRetryableErrors : other.nonRetryableErrors,
                deadLetter != null ? deadLetter : other.deadLetter);
    }

    /** @param names of fields that say nothing any more, each behind this prefix */
    public RetryOptions without(Set<String> names, String prefix) {
        return new RetryOptions(
                names.contains(prefix + "max_attempts") ? null : maxAttempts,
                names.contains(prefix + "initial_interval") ? null : initial,
                names.contains(prefix + "max_interval") ? null : max,
                names.contains(prefix + "backoff_coefficient") ? null : coefficient,
                names.contains(prefix + "backoff_strategy") ? null : backoff,
                names.contains(prefix + "jitter") ? null : jitter,
                names.contains(prefix + "non_retryable_errors") ? null : nonRetryableErrors,
                names.contains(prefix + "on_exhaustion") ? null : deadLetter);
    }

    public void write(JsonOut out) {
        out.beginObject();
        if (maxAttempts != null) out.field("max_attempts", maxAttempts);
        if (initial != null) out.field("initial_interval", Durations.format(initial));
        if (max != null) out.field("max_interval", Durations.format(max));
        if (coefficient != null) out.field("backoff_coefficient", coefficient);
        if (backoff != null) out.field("backoff_strategy", backoff.wire());
        if (jitter != null) out.field("jitter", jitter);
        if (nonRetryableErrors != null) out.field("non_retryable_errors", nonRetryableErrors);
        if (deadLetter != null) out.field("on_exhaustion", deadLetter ? "dead_letter" : "discard");
        out.endObject();
    }
}
