package io.floodgate.gateway.admin;

import io.floodgate.gateway.admin.TenantFigures.Figures;
import io.floodgate.gateway.admin.TenantFigures.OverAll;
import io.floodgate.gateway.admin.TenantFigures.Share;
import io.floodgate.gateway.queue.PublishedStatus;
import io.floodgate.gateway.queue.StatusTable;
import io.floodgate.gateway.queue.TenantLimits;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.queue.TenantResource;
import java.util.Comparator;
import java.util.Set;
import java.util.TreeSet;

/**
 * A tenant as it is shown: its jobs beside those of all tenants of the same queues.
 *
 * @param table what the queues have published
 * @param rejected what they have rejected lately
 */
record TenantView(StatusTable table, RejectedJobs rejected) {
    void write(Figures tenant, JsonOut out) {
        out.field("tenant_id", tenant.tenant())
                .field("depth", tenant.depth())
                .field("rejected", rejected(tenant))
                .field("rejected_window_seconds", RejectedJobs.WINDOW.toSeconds());
        writeLimits(tenant, out);
        OverAll jobs = tenant.overAll().get(TenantResource.JOBS);
        OverAll running = tenant.overAll().get(TenantResource.RUNNING);
        if (!tenant.overAll().isEmpty())
            out.field("in_force", tenant.overAll().values().stream().allMatch(OverAll::isOpen));
        if (jobs != null) {
            out.field(TenantResource.JOBS.limit(), jobs.bound()).field("pressure", jobs.pressure());
            write(jobs, "jobs_in", "jobs", out);
        }
        if (running != null) {
            out.field(TenantResource.RUNNING.limit(), running.bound()).field("running", running.used());
            write(running, "running_in", "running", out);
        }
        out.beginArray("queues");
        for (Share share : tenant.shares()) write(tenant.tenant(), share, out);
        out.endArray();
        if (tenant.more() > 0) out.field("more_queues", tenant.more());
    }

    private static void write(OverAll bound, String name, String used, JsonOut out) {
        out.beginArray(name);
        bound.worst()
                .forEach(queue -> out.beginObject()
                        .field("queue", queue.getKey())
                        .field(used, queue.getValue())
                        .endObject());
        out.endArray();
    }

    private void write(String tenant, Share share, JsonOut out) {
        out.beginObject()
                .field("queue", share.queue())
                .field("depth", share.depth())
                .field("available", share.available());
        if (share.bound() != null) out.field("max_queue_depth", share.bound()).field("pressure", share.pressure());
        if (!share.isCounted()) out.field("tenants_counted", false);
        out.field("own_limit", share.isOwn()).field("rejected", rejected.of(tenant, share.queue()));
        PublishedStatus queue = table.find(share.queue());
        if (queue != null) {
            // A status is published a moment later than the tenant's figures are read.
            long all = Math.max(queue.room().depth(), share.depth());
            out.field("queue_depth", all).field("share", all == 0 ? 0 : (double) share.depth() / all);
            if (queue.config().bound() > 0)
                out.field("queue_bound", queue.config().bound());
            out.field("queue_pressure", queue.pressure());
        }
        out.endObject();
    }

    long rejected(Figures tenant) {
        Set<String> queues = new TreeSet<>();
        tenant.shares().forEach(share -> queues.add(share.queue()));
        if (tenant.overAll().containsKey(TenantResource.JOBS)) queues.addAll(rejected.queues(tenant.tenant()));
        return queues.stream()
                .mapToLong(queue -> rejected.of(tenant.tenant(), queue))
                .sum();
    }

    /** Returns how near the tenant is to its nearest bound. */
    static double pressure(Figures tenant) {
        double ofQueues =
                tenant.shares().stream().mapToDouble(Share::pressure).max().orElse(0);
        return Math.max(
                ofQueues,
                tenant.overAll().values().stream()
                        .mapToDouble(OverAll::pressure)
                        .max()
                        .orElse(0));
    }

    /** Writes the limits of the queue in which the tenant is nearest to its bound. */
    static void writeLimits(Figures tenant, JsonOut out) {
        out.beginObject("limits");
        tenant.shares().stream()
                .filter(share -> share.bound() != null && share.bound() > 0)
                .max(Comparator.comparingDouble(Share::pressure))
                .ifPresent(share -> out.beginObject(TenantLimits.DEPTH)
                        .optional("limit", share.bound())
                        .field("current", share.depth())
                        .field("queue", share.queue())
                        .endObject());
        tenant.overAll()
                .forEach((resource, bound) -> out.beginObject(resource.limit())
                        .field("limit", bound.bound())
                        .field("current", bound.used())
                        .endObject());
        out.endObject();
    }
}
