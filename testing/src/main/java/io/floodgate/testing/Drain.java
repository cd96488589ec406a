package io.floodgate.testing;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What {@link InMemoryFloodgate#drain(Drain)} runs: by default, all jobs that are available, for 30 seconds at most.
 *
 * @param queue null for all queues
 * @param withScheduled whether the clock moves on to jobs that wait for their time or for their next attempt
 */
public record Drain(@Nullable String queue, int maxJobs, Duration timeout, boolean withScheduled) {
    public static final Drain ALL = new Drain(null, Integer.MAX_VALUE, Duration.ofSeconds(30), false);

    /** Runs only jobs of this queue. */
    public Drain queue(String name) {
        return new Drain(name, maxJobs, timeout, withScheduled);
    }

    /** Stops after this many jobs. */
    public Drain maxJobs(int value) {
        return new Drain(queue, value, timeout, withScheduled);
    }

    /** Fails if there are still jobs to run after this time. */
    public Drain timeout(Duration value) {
        return new Drain(queue, maxJobs, value, withScheduled);
    }

    /** Moves the clock on, whenever no job is available, until no job waits for its time or for its next attempt. */
    public Drain withScheduledJobs() {
        return new Drain(queue, maxJobs, timeout, true);
    }
}
