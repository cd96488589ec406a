package io.floodgate.processor.queue.state;

import io.floodgate.processor.kernel.WorkerName;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A worker's right to run a job.
 *
 * @param number counts the leases of the job, so that a report on an ended one can be told apart
 * @param holder the {@linkplain WorkerName name} of the worker
 * @param length what a heartbeat prolongs it by when it does not say
 * @param deliveryRef null once something has been heard of the job
 * @param missedAt when the worker first named all its jobs, and this one was not among them
 */
public record Lease(
        long number,
        @Nullable String holder,
        Instant until,
        Duration length,
        @Nullable DeliveryRef deliveryRef,
        @Nullable Instant missedAt) {
    /** Returns the name of its holder, as it calls itself. */
    @Nullable
    public String worker() {
        return holder == null ? null : WorkerName.id(holder);
    }

    /** Returns the lease after a sign of life. */
    public Lease extendedTo(Instant end) {
        // mutant: lease-heard-of
        return new Lease(number, holder, end, length, null, null);
    }

    /** Returns the lease with a grace, without a sign of life. */
    public Lease gracedTo(Instant end) {
        return new Lease(number, holder, end, length, deliveryRef, missedAt);
    }

    public Lease missed(Instant at) {
        return new Lease(number, holder, until, length, deliveryRef, at);
    }
}
