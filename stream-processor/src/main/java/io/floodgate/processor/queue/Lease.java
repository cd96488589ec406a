package io.floodgate.processor.queue;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A worker's right to run a job.
 *
 * @param number counts the leases of the job, so that a report on an ended one can be told apart
 * @param length what a heartbeat prolongs it by when it does not say
 */
record Lease(long number, @Nullable String worker, Instant until, Duration length) {
    Lease extendedTo(Instant end) {
        return new Lease(number, worker, end, length);
    }
}
