package io.floodgate.processor.queue.bound;

import io.floodgate.processor.queue.state.Counts;
import io.floodgate.processor.queue.state.Queue;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Seconds until there may be capacity, as advice to a rejected producer. */
public final class RetryTimes {
    /** Advice if it is not known how fast the queue drains. */
    private static final long RETRY_AFTER_S = 5;

    private static final long LONGEST_RETRY_AFTER_S = 30;

    private RetryTimes() {}

    /**
     * Returns the seconds until a full queue has capacity for a job, as a producer would be advised; null if nothing
     * leaves it.
     */
    public static @Nullable Long roomIn(Queue queue, Instant now) {
        double drains = queue.drainsPerSecond(now);
        if (drains <= 0) return null;
        RequiredCapacity one = new RequiredCapacity(queue, 1, meanBytes(queue), "", TenantDemand.nothing(queue));
        return after(one.overDepth(), one.overSize(), drains, queue, now);
    }

    /** Returns the seconds at the rate at which the queue drains, behind those that wait already. */
    static long after(RequiredCapacity demand, @Nullable WaitingProducer first, Instant now) {
        Queue queue = demand.queue();
        RequiredCapacity all = first == null
                ? demand
                : new RequiredCapacity(
                        queue,
                        demand.jobs() + first.jobs(),
                        demand.bytes() + first.bytes(),
                        demand.type(),
                        demand.tenants());
        return after(all.overDepth(), all.overSize(), queue.drainsPerSecond(now), queue, now);
    }

    /** The same, as far as it drains this tenant's jobs: by their part of all. */
    static long after(RequiredCapacity demand, String tenant, Instant now) {
        Queue queue = demand.queue();
        double part = (double) queue.depthOf(tenant) / Math.max(1, queue.counts.depth());
        return after(demand.tenants().over(tenant), 0, part * queue.drainsPerSecond(now), queue, now);
    }

    private static long after(long missingJobs, long missingBytes, double drains, Queue queue, Instant now) {
        // All of its runs fail, and none is the last one: when that ends is not known.
        if (drains <= 0) return queue.recent(now).failed() > 0 ? LONGEST_RETRY_AFTER_S : RETRY_AFTER_S;
        double jobs = Math.max(1, missingJobs);
        double missing = Math.max(jobs, (double) missingBytes / meanBytes(queue));
        return Math.clamp((long) Math.ceil(missing / drains), 1, LONGEST_RETRY_AFTER_S);
    }

    private static long meanBytes(Queue queue) {
        Counts counts = queue.counts;
        return Math.max(1, Math.ceilDiv(counts.bytes(), Math.max(1, counts.depth())));
    }
}
