package io.floodgate.client;

import io.floodgate.topics.circuit.BreakerSettings;
import io.floodgate.topics.command.BlockSeconds;
import io.floodgate.topics.command.Limits;
import java.time.Duration;

/**
 * The settings of a producer.
 *
 * @param requests that may be under way at the same time; of one queue there is never more than one
 * @param grace how long closing waits for what has not been sent
 */
record ProducerConfig(
        Retries retries,
        BreakerSettings breaking,
        Batching batching,
        Buffering buffering,
        int requests,
        Duration grace) {
    /** Longest duration with which nothing overflows. */
    private static final Duration LONGEST = Duration.ofDays(365);

    static final ProducerConfig DEFAULT = new ProducerConfig(
            new Retries(5, Duration.ofSeconds(30), Duration.ofMinutes(1)),
            new BreakerSettings(5, Duration.ofSeconds(10), 1),
            new Batching(Limits.JOBS_OF_A_PART, Limits.BYTES_OF_A_PART / 2, Duration.ZERO),
            new Buffering(100_000, 64L * 1024 * 1024, Duration.ZERO),
            16,
            Duration.ofSeconds(10));

    /** Longest time for which a server lets producers wait for capacity. */
    static final Duration LONGEST_WAIT_FOR_ROOM = BlockSeconds.LONGEST;

    ProducerConfig {
        check(requests >= 1, "requests must be at least 1");
        check(isLength(grace), "grace must be 0 to 365 days");
    }

    /**
     * Settings of retries for callers that wait. Submitted jobs are tried again without end.
     *
     * @param longest between two tries, unless the server asks for more
     */
    record Retries(int most, Duration longest, Duration deadline) {
        Retries {
            check(most >= 0, "retries must not be negative");
            check(isLength(longest) && longest.isPositive(), "the longest delay must be up to 365 days");
            check(isLength(deadline) && deadline.isPositive(), "the deadline must be up to 365 days");
        }
    }

    /** @param linger how long a job may wait for company */
    record Batching(int jobs, int bytes, Duration linger) {
        Batching {
            check(
                    jobs >= 1 && jobs <= Limits.JOBS_OF_A_PART,
                    "a batch must be of 1 to %d jobs".formatted(Limits.JOBS_OF_A_PART));
            check(
                    bytes >= 1 && bytes <= Limits.BYTES_OF_A_PART,
                    "a batch must be of 1 to %d bytes".formatted(Limits.BYTES_OF_A_PART));
            check(isLength(linger), "linger must be 0 to 365 days");
        }
    }

    /**
     * Settings of the jobs that may wait to be sent.
     *
     * @param patience how long to wait for room in it
     */
    record Buffering(long jobs, long bytes, Duration patience) {
        Buffering {
            check(jobs >= 1 && bytes >= 1, "a buffer must have room for 1 job and 1 byte");
            check(isLength(patience), "patience must be 0 to 365 days");
        }
    }

    private static boolean isLength(Duration length) {
        return !length.isNegative() && length.compareTo(LONGEST) <= 0;
    }

    static void check(boolean holds, String complaint) {
        if (!holds) throw new IllegalArgumentException(complaint);
    }
}
