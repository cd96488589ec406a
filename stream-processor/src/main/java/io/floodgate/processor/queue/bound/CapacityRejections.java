package io.floodgate.processor.queue.bound;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.queue.state.PressureLevels;
import io.floodgate.processor.queue.state.Queue;
import io.floodgate.processor.queue.state.TenantJobs;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.queue.Overflow;
import io.floodgate.topics.queue.QueueConfig;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Rejections of producers whose jobs do not fit (OJS backpressure §6). Each counts as pressure on the queue. */
record CapacityRejections(Pressure pressure, Producers producers, GrantChecks grants, Effects out) {
    Rejection reject(RequiredCapacity demand) {
        return reject(demand, null);
    }

    /** @param why it cannot even wait; null if there is nothing more to say */
    Rejection reject(RequiredCapacity demand, @Nullable String why) {
        Queue queue = demand.queue();
        QueueConfig config = queue.config();
        String never = grants.neverFitting(demand.tenants());
        String tenant = never == null ? rejectedTenant(demand) : never;
        if (tenant != null && demand.tenants().lacks(tenant)) {
            pressure.rejected(queue, demand.jobs(), demand.type(), tenant, !producers.hasBeenOffered());
            return withWait(withReason(grants.reject(demand, tenant, never != null), why));
        }
        // There is capacity, and others have been waiting for more than that.
        boolean isBehind = demand.fits();
        String reason = why == null && isBehind ? "others_wait" : why;
        if (tenant != null) return reject(demand, tenant, reason);
        pressure.rejected(queue, demand.jobs(), demand.type(), null, !producers.hasBeenOffered());
        boolean ofDepth = demand.overDepth() > 0 || config.sizeBound() == 0;
        long bound = ofDepth ? config.depthBound() : config.sizeBound();
        String kind = ofDepth ? "depth bound (%d)" : "size bound (%d bytes)";
        Rejection rejection;
        if (demand.canNeverFit())
            rejection = Rejection.of(
                            ErrorCode.BATCH_EXCEEDS_BOUND,
                            "%s can never fit into queue '%s', which has a %s."
                                    .formatted(
                                            demand.jobs() == 1 ? "The job" : "%d jobs".formatted(demand.jobs()),
                                            queue.name,
                                            kind.formatted(bound)))
                    .with("reason", "batch_exceeds_bound");
        else
            rejection = Rejection.of(
                            ErrorCode.QUEUE_FULL,
                            isBehind ? behind(queue) : full(demand, ofDepth, kind.formatted(bound)))
                    .with("retry_after_seconds", RetryTimes.after(demand, producers.first(queue.name), out.now()));
        Rejection described = withWait(withReason(rejection, reason))
                .with("queue", queue.name)
                .with("depth", queue.counts.depth())
                .with("bound", bound)
                .with("strategy", config.overflow().wire())
                .with("dimension", ofDepth ? "depth" : "size")
                .with("pressure", PressureLevels.of(queue))
                .with("size_bytes", queue.counts.bytes())
                .with("version", queue.version);
        if (config.depthBound() > 0) described = described.with("max_depth", config.depthBound());
        return config.sizeBound() > 0 ? described.with("max_size_bytes", config.sizeBound()) : described;
    }

    private static String full(RequiredCapacity demand, boolean ofDepth, String bound) {
        Queue queue = demand.queue();
        boolean isReached = ofDepth
                ? queue.counts.depth() >= queue.config().depthBound()
                : queue.counts.bytes() >= queue.config().sizeBound();
        String victims = queue.config().overflow() == Overflow.DROP_OLDEST
                ? ", and only available jobs can be dropped: it has %d"
                        .formatted(queue.ready().size())
                : "";
        if (isReached) return "Queue '%s' has reached its %s%s".formatted(queue.name, bound, victims);
        return "Queue '%s' has no room for the %s within its %s%s"
                .formatted(queue.name, demand.jobs() == 1 ? "job" : "batch", bound, victims);
    }

    private String behind(Queue queue) {
        WaitingProducer first = producers.first(queue.name);
        return first == null
                ? "Queue '%s' has no room".formatted(queue.name)
                : "Queue '%s' has no room for a newcomer: producers wait in it (%d), the first of them for room for %d jobs (%d bytes)"
                        .formatted(queue.name, producers.at(queue.name), first.jobs(), first.bytes());
    }

    private static Rejection withReason(Rejection rejection, @Nullable String reason) {
        return reason == null ? rejection : rejection.with("reason", reason);
    }

    private Rejection withWait(Rejection rejection) {
        Instant since = producers.waitingSince();
        return since == null
                ? rejection
                : rejection.with("waited_ms", Duration.between(since, out.now()).toMillis());
    }

    /** The tenant whose bound is the reason; null if the queue as a whole is. */
    static @Nullable String rejectedTenant(RequiredCapacity demand) {
        String tenant = demand.tenants().neverFitting();
        if (tenant == null) tenant = demand.tenants().full();
        boolean nothingElse = tenant == null && !demand.queue().config().isBounded();
        // Others of the same tenants wait for the free capacity.
        return nothingElse
                ? demand.tenants().jobs().keySet().stream().findFirst().orElse(null)
                : tenant;
    }

    private Rejection reject(RequiredCapacity demand, String tenant, @Nullable String reason) {
        Queue queue = demand.queue();
        long bound = demand.tenants().bound(tenant);
        pressure.rejected(queue, demand.jobs(), demand.type(), tenant, !producers.hasBeenOffered());
        Rejection rejection = tenant.equals(demand.tenants().neverFitting())
                ? Rejection.of(
                                ErrorCode.BATCH_EXCEEDS_BOUND,
                                "%d jobs of tenant '%s' can never fit into queue '%s', where its %s is %d."
                                        .formatted(
                                                demand.tenants().jobs().get(tenant),
                                                tenant,
                                                queue.name,
                                                TenantJobs.LIMIT,
                                                bound))
                        .with("reason", "batch_exceeds_bound")
                : Rejection.of(
                                ErrorCode.TENANT_LIMIT_EXCEEDED,
                                demand.fits()
                                        ? behind(queue)
                                        : "Tenant '%s' has reached its %s (%d) in queue '%s'"
                                                .formatted(tenant, TenantJobs.LIMIT, bound, queue.name))
                        .with("retry_after_seconds", RetryTimes.after(demand, tenant, out.now()));
        return demand.tenants().describe(withWait(withReason(rejection, reason)), tenant);
    }
}
