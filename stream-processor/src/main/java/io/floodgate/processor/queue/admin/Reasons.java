package io.floodgate.processor.queue.admin;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.SortedIds;
import io.floodgate.processor.queue.fetch.LastFetches;
import io.floodgate.processor.queue.fetch.Maintenance;
import io.floodgate.processor.queue.job.JobOrders;
import io.floodgate.processor.queue.state.IndexEntry;
import io.floodgate.processor.queue.state.JobRecord;
import io.floodgate.processor.queue.state.Lease;
import io.floodgate.processor.queue.state.Queue;
import io.floodgate.processor.queue.state.Queues;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.Timestamps;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Why a job that has not ended is not run, or by whom it is. */
public final class Reasons {
    /** A queue that was not fetched from for so long has nobody who works for it: fetches are noted to the minute. */
    private static final Duration DESERTED = LastFetches.EXACT_TO.multipliedBy(2);

    private final Queues queues;
    private final JobOrders orders;
    private final Maintenance maintenance;
    private final Effects out;

    public Reasons(Queues queues, JobOrders orders, Maintenance maintenance, Effects out) {
        this.queues = queues;
        this.orders = orders;
        this.maintenance = maintenance;
        this.out = out;
    }

    /**
     * As one object; null for a job that has ended.
     *
     * @param isLimited a rate limit holds it back
     */
    public byte @Nullable [] of(JobRecord job, boolean isLimited) {
        if (job.state.isTerminal()) return null;
        JsonOut json = new JsonOut(200).beginObject();
        if (orders.isAside(job.id)) reason("set_aside", "A rule failed on it: an operator has to decide.", json);
        else write(job, isLimited, json);
        return json.endObject().toBytes();
    }

    private void write(JobRecord job, boolean isLimited, JsonOut json) {
        switch (job.state) {
            case SCHEDULED ->
                reason("scheduled", "Its time has not come yet.", json).optional("until", job.scheduledAt);
            case PENDING -> reason("not_activated", "It has not been activated yet.", json);
            case RETRYABLE ->
                reason("retry", "Its last attempt failed, and the next one has to wait.", json)
                        .optional("until", job.nextAttemptAt);
            case ACTIVE -> leased(job, json);
            default -> available(job, isLimited, queues.of(job), json);
        }
    }

    private static JsonOut reason(String reason, String message, JsonOut json) {
        return json.field("reason", reason).field("message", message);
    }

    private static void leased(JobRecord job, JsonOut json) {
        Lease lease = job.lease;
        if (lease == null) return;
        String who = lease.worker() == null ? "A worker" : "Worker '%s'".formatted(lease.worker());
        reason("running", "%s has it until %s.".formatted(who, Timestamps.format(lease.until())), json)
                .field("until", lease.until())
                .optional("worker_id", lease.worker());
    }

    private void available(JobRecord job, boolean isLimited, Queue queue, JsonOut json) {
        Instant last = queue.fetchedAt;
        if (job.promise != null) reason("making_room", "It is dropped if a batch is stored that needs its room.", json);
        else if (maintenance.isOn())
            maintenance.write(reason("maintenance", "The server is maintained, and hands out no jobs.", json));
        else if (queue.pausedAt != null)
            reason("queue_paused", "Queue '%s' is paused.".formatted(queue.name), json)
                    .field("since", queue.pausedAt);
        else if (last == null)
            reason("nobody_fetches", "No worker has fetched from queue '%s' yet.".formatted(queue.name), json);
        else if (last.plus(DESERTED).isBefore(out.now()))
            reason("nobody_fetches", "No worker has fetched from queue '%s' for a while.".formatted(queue.name), json)
                    .field("last_fetched_at", last);
        else if (isLimited) reason("limited", "A rate limit holds it back: see 'limited_by'.", json);
        else reason("in_line", "It waits in the line of queue '%s'.".formatted(queue.name), json);
        SortedIds.Place place = queue.ready().place(IndexEntry.of(job, queue));
        if (place == null) return;
        json.field("position", place.before() + 1);
        if (!place.isExact()) json.field("position_is_at_least", true);
    }
}
