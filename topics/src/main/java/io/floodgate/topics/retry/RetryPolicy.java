package io.floodgate.topics.retry;

import io.floodgate.topics.JobId;
import io.floodgate.topics.json.Durations;
import io.floodgate.topics.json.JsonOut;
import java.time.Duration;
import java.util.List;

/** A complete retry policy (OJS retry §2). */
public record RetryPolicy(
        int maxAttempts, Intervals intervals, List<String> nonRetryableErrors, boolean deadLetterOnExhaustion) {

    /** The delays of a policy, apart from the number of tries. */
    public record Intervals(Duration initial, Duration max, double coefficient, Backoff backoff, boolean jitter) {}

    public static final RetryPolicy DEFAULT = new RetryPolicy(
            3,
            new Intervals(Duration.ofSeconds(1), Duration.ofMinutes(5), 2.0, Backoff.EXPONENTIAL, true),
            List.of(),
            true);

    public RetryPolicy {
        nonRetryableErrors = List.copyOf(nonRetryableErrors);
    }

    /** Attempts include the first; 0 and 1 both mean that nothing is tried again. */
    public boolean allowsRetryAfter(int attempt) {
        return attempt < maxAttempts;
    }

    /** Exact match, or a prefix that ends in {@code .*} (OJS retry §6.2). */
    public boolean rulesOut(String errorType) {
        for (String entry : nonRetryableErrors) {
            boolean matches = entry.endsWith(".*")
                    ? errorType.startsWith(entry.substring(0, entry.length() - 1))
                    : entry.equals(errorType);
            if (matches) return true;
        }
        return false;
    }

    /**
     * The delay after the given failed attempt (from 1): capped before and after jitter (OJS retry §3.5, §5.3). Jitter is
     * a hash of job and attempt, so that a replay of the partition waits just as long.
     */
    public Duration delayAfter(int failedAttempt, JobId job) {
        double max = (double) intervals.max.toMillis();
        double delay = Math.min(
                max,
                intervals.backoff.rawMillis(
                        (double) intervals.initial.toMillis(), intervals.coefficient, failedAttempt));
        if (intervals.jitter) delay = Math.min(max, delay * (0.5 + fraction(job, failedAttempt)));
        return Duration.ofMillis((long) delay);
    }

    /** A number in [0, 1) that is the same whenever it is asked for. */
    private static double fraction(JobId job, int attempt) {
        long mixed = mix(mix(mix(job.high()) ^ job.low()) ^ attempt);
        // mutant: jitter
        return (mixed >>> 11) * 0x1.0p-53;
    }

    /** The finalizer of SplitMix64: every input bit moves half of the output bits. */
    private static long mix(long value) {
        long z = value + 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    public void write(JsonOut out) {
        out.beginObject()
                .field("max_attempts", maxAttempts)
                .field("initial_interval", Durations.format(intervals.initial))
                .field("backoff_coefficient", intervals.coefficient)
                .field("backoff_strategy", intervals.backoff.wire())
                .field("max_interval", Durations.format(intervals.max))
                .field("jitter", intervals.jitter)
                .field("non_retryable_errors", nonRetryableErrors)
                .field("on_exhaustion", deadLetterOnExhaustion ? "dead_letter" : "discard")
                .endObject();
    }
}
