package io.floodgate.processor.queue.bound;

import io.floodgate.processor.queue.state.Counts;
import io.floodgate.processor.queue.state.Queue;
import io.floodgate.processor.queue.state.Throughput.Drain;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** In how many seconds there may be room, as a rejected producer is advised. */
public final class RetryTimes {
    /** If it is not known how fast the queue drains. */
    private static final long RETRY_AFTER_S = 5;

    private static final long LONGEST_RETRY_AFTER_S = 30;

    private RetryTimes() {}

    /**
     * How long a queue that is full takes until it has room for one of its jobs, as a producer would be told; null if nothing
     * leaves it.
     */
    public static @Nullable Long roomIn(Queue queue, Instant now) {
        Drain drain = queue.drain(now);
        if (drain.jobs() <= 0) return null;
        Counts counts = queue.counts;
        RequiredCapacity one = new RequiredCapacity(
                queue, 1, Math.ceilDiv(counts.bytes(), Math.max(1, counts.depth())), "", TenantDemand.nothing(queue));
        return after(one.overDepth(), one.overSize(), drain);
    }

    /** At the rate at which the queue drains, and behind those who wait already. */
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
        return after(all.overDepth(), all.overSize(), queue.drain(now));
    }

    /** The same, as far as it drains this tenant's jobs: by their part of all. */
    static long after(RequiredCapacity demand, String tenant, Instant now) {
        Queue queue = demand.queue();
        Drain drain = queue.drain(now);
        double part = (double) queue.depthOf(tenant) / Math.max(1, queue.counts.depth());
        Drain own = new Drain(part * drain.jobs(), part * drain.bytes(), drain.isBusy());
        return after(demand.tenants().over(tenant), 0, own);
    }

    private static long after(long missingJobs, long missingBytes, Drain drain) {
        // All of its runs fail, and none is the last one: when that ends is not known.
        if (drain.jobs() <= 0) return drain.isBusy() ? LONGEST_RETRY_AFTER_S : RETRY_AFTER_S;
        double seconds = Math.max(1, missingJobs) / drain.jobs();
        if (missingBytes > 0) seconds = Math.max(seconds, missingBytes / Math.max(1, drain.bytes()));
        return Math.clamp((long) Math.ceil(seconds), 1, LONGEST_RETRY_AFTER_S);
    }
}
