package io.floodgate.processor.queue.admin;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Quarantine;
import io.floodgate.processor.kernel.SortedIds;
import io.floodgate.processor.queue.fetch.Maintenance;
import io.floodgate.processor.queue.fetch.RunningGrants;
import io.floodgate.processor.queue.job.JobOrders;
import io.floodgate.processor.queue.job.Jobs;
import io.floodgate.processor.queue.job.TenantCounting;
import io.floodgate.processor.queue.state.IndexEntry;
import io.floodgate.processor.queue.state.JobRecord;
import io.floodgate.processor.queue.state.Lease;
import io.floodgate.processor.queue.state.Queue;
import io.floodgate.processor.queue.state.Queues;
import io.floodgate.processor.queue.state.RecentFetches;
import io.floodgate.processor.queue.state.TenantUse;
import io.floodgate.processor.queue.wait.Waiters;
import io.floodgate.topics.JobId;
import io.floodgate.topics.command.GrantKey;
import io.floodgate.topics.job.WaitReason;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.Timestamps;
import io.floodgate.topics.queue.OrderKey;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reasons why a job that has not ended is not run, or the worker that runs it. */
public record Reasons(
        Queues queues,
        Jobs jobs,
        JobOrders orders,
        Maintenance maintenance,
        Waiters waiters,
        TenantCounting tenants,
        RunningGrants running,
        Effects out) {
    /**
     * Returns the reason as one object; null for a job that has ended.
     *
     * @param isLimited a rate limit holds it back
     */
    public byte @Nullable [] of(JobRecord job, boolean isLimited) {
        if (job.state.isTerminal()) return null;
        JsonOut json = JsonOut.object(200);
        if (orders.isAside(job.id))
            reason(WaitReason.SET_ASIDE, "A rule failed on it: an operator has to decide.", json);
        else write(job, isLimited, json);
        return json.endObject().toBytes();
    }

    private void write(JobRecord job, boolean isLimited, JsonOut json) {
        switch (job.state) {
            case SCHEDULED ->
                reason(WaitReason.SCHEDULED, "Its time has not come yet.", json).optional("until", job.scheduledAt);
            case PENDING -> reason(WaitReason.NOT_ACTIVATED, "It has not been activated yet.", json);
            case RETRYABLE ->
                reason(WaitReason.RETRY, "Its last attempt failed, and the next one has to wait.", json)
                        .optional("until", job.nextAttemptAt);
            case ACTIVE -> leased(job, json);
            default -> available(job, isLimited, queues.of(job), json);
        }
    }

    private static JsonOut reason(WaitReason reason, String message, JsonOut json) {
        return json.field("reason", reason.wire()).field("message", message);
    }

    private static void leased(JobRecord job, JsonOut json) {
        Lease lease = job.lease;
        if (lease == null) return;
        String who = lease.worker() == null ? "A worker" : "Worker '%s'".formatted(lease.worker());
        reason(WaitReason.RUNNING, "%s has it until %s.".formatted(who, Timestamps.format(lease.until())), json)
                .field("until", lease.until())
                .optional("worker_id", lease.worker());
    }

    private void available(JobRecord job, boolean isLimited, Queue queue, JsonOut json) {
        RecentFetches last = queue.fetches;
        JobId holder = jobs.keyTurns().holder(job);
        if (job.promise != null)
            reason(WaitReason.MAKING_ROOM, "It is dropped if a batch is stored that needs its room.", json);
        else if (maintenance.isOn())
            maintenance.write(reason(WaitReason.MAINTENANCE, "The server is maintained, and hands out no jobs.", json));
        else if (queue.pausedAt != null)
            reason(WaitReason.QUEUE_PAUSED, "Queue '%s' is paused.".formatted(queue.name), json)
                    .field("since", queue.pausedAt)
                    .optional("paused_by", queue.pausedBy)
                    .optional("paused_reason", queue.pausedReason);
        else if (holder != null) behind(holder, job, json);
        else if (last == null)
            reason(WaitReason.NOBODY_FETCHES, "No worker has fetched from queue '%s' yet.".formatted(queue.name), json);
        else if (!last.isRecent(out.now()))
            reason(
                            WaitReason.NOBODY_FETCHES,
                            "No worker has fetched from queue '%s' lately.".formatted(queue.name),
                            json)
                    .field("last_fetched_at", last.at());
        else if (isLimited) reason(WaitReason.RATE_LIMITED, "A rate limit holds it back: see 'limited_by'.", json);
        else if (running.isHeldBack(job)) atConcurrency(job, json);
        else if (!last.wants(job.type, out.now()))
            reason(
                    WaitReason.TYPE_NOT_FETCHED,
                    "No worker has asked for jobs of type '%s' lately.".formatted(job.type),
                    json);
        else if (!last.wants(job.type, job.version, out.now()))
            reason(
                            WaitReason.VERSION_NOT_ACCEPTED,
                            "No worker has accepted version %s of jobs of type '%s' lately."
                                    .formatted(job.version, job.type),
                            json)
                    .field("job_version", String.valueOf(job.version));
        else if (!last.wants(job.type, job.version, tenants.tenant(job), out.now()))
            reason(
                            WaitReason.TENANT_NOT_FETCHED,
                            "Workers name the tenants whose jobs they take, and none has named '%s' lately."
                                    .formatted(tenants.tenant(job)),
                            json)
                    .field("tenant_id", tenants.tenant(job));
        else if (last.isPassedOver(out.now()) && hasWaited(job))
            reason(
                    WaitReason.STARVED,
                    "Fetches that name its queue get jobs of other queues, which they name first.",
                    json);
        else if (waiters.at(queue.name) == null)
            reason(WaitReason.WORKERS_BUSY, "All workers are busy with jobs that come before it.", json);
        else reason(WaitReason.IN_LINE, "It waits in the line of queue '%s'.".formatted(queue.name), json);
        position(job, queue, json);
    }

    /** Writes that its tenant has as many jobs running as it may have, and where. */
    private void atConcurrency(JobRecord job, JsonOut json) {
        GrantKey key = GrantKey.running(tenants.tenant(job));
        TenantUse use = running.accounts().use(key);
        if (use == null) return;
        reason(
                        WaitReason.TENANT_AT_CONCURRENCY,
                        "Its tenant '%s' has as many jobs running as it may have over all queues: %s is %d."
                                .formatted(key.tenant(), use.limit(), use.maximum()),
                        json)
                .field("tenant_id", key.tenant())
                .field(use.limit(), use.maximum());
        Map<String, Long> most = running.accounts().mostIn(key);
        if (!most.isEmpty()) json.field("most_in", String.join(", ", most.keySet()));
    }

    /** Writes which job of the same key keeps it back, and how that one stands. */
    private void behind(JobId id, JobRecord job, JsonOut json) {
        JobRecord holder = out.whileAbout(Quarantine.JOB, id, () -> jobs.findReserved(id));
        if (holder == null || job.order == null) return;
        String key = job.order.key();
        boolean isAside = orders.isAside(id);
        String state = isAside ? WaitReason.SET_ASIDE.wire() : holder.state.wire();
        reason(
                        WaitReason.BEHIND_KEY,
                        "It waits for job %s of its key '%s', which is %s.".formatted(id, key, state),
                        json)
                .field(OrderKey.NAME, key)
                .field("holder", id.toString())
                .field("holder_state", state)
                .field("holder_attempt", holder.attempt)
                .field("holder_max_attempts", holder.retry.maxAttempts())
                .field("jobs_of_key", jobs.keyTurns().lineOf(job))
                .optional("until", isAside ? null : nextOf(holder));
    }

    private static @Nullable Instant nextOf(JobRecord holder) {
        Lease lease = holder.lease;
        return switch (holder.state) {
            case SCHEDULED -> holder.scheduledAt;
            case RETRYABLE -> JobRecord.earlier(holder.nextAttemptAt, holder.holdsUntil());
            case ACTIVE -> lease == null ? null : lease.until();
            default -> null;
        };
    }

    /** Returns whether it has waited longer than until the next fetch. */
    private boolean hasWaited(JobRecord job) {
        return !job.enqueuedAt.plus(RecentFetches.LATELY).isAfter(out.now());
    }

    private static void position(JobRecord job, Queue queue, JsonOut json) {
        SortedIds.Place place = queue.ready().place(IndexEntry.of(job, queue));
        if (place == null) return;
        json.field("position", place.before() + 1);
        if (!place.isExact()) json.field("position_is_at_least", true);
        long higher = 0;
        for (var each : queue.ready().countByPriority().entrySet())
            if (each.getKey() > job.priority) higher += each.getValue();
        if (higher > 0) json.field("ahead_higher_priority", higher);
    }
}
