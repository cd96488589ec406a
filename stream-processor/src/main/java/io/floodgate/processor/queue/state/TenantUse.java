package io.floodgate.processor.queue.state;

import org.jspecify.annotations.Nullable;

/**
 * What a tenant uses of a bound.
 *
 * @param limit the name of the bound
 */
public record TenantUse(String limit, long current, long maximum) {
    /** Tells what tenants use of their bounds over all queues. */
    public interface OverAll {
        /** Returns null for a tenant without such a bound. */
        @Nullable
        TenantUse of(String tenant);
    }

    /** Returns the bound because of which the queue rejects jobs of the tenant: its own, if that is reached. */
    static TenantUse of(Queue queue, String tenant, OverAll overAll) {
        long bound = queue.config().tenants().of(tenant);
        long depth = queue.depthOf(tenant);
        TenantUse all = bound > 0 && depth >= bound ? null : overAll.of(tenant);
        return all == null ? new TenantUse(TenantJobs.LIMIT, depth, bound) : all;
    }
}
