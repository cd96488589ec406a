package io.floodgate.processor.queue.state;

import io.floodgate.topics.JobId;
import io.floodgate.topics.JobState;
import io.floodgate.topics.limit.OnLimit;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A picture of a job for the indexes in memory, so that it can be taken out as it was put in, whatever has happened to
 * the job.
 *
 * @param queue null when the job cannot be fetched
 * @param mark of its type and version
 * @param worker null when it is not leased, or leased to a worker without a name
 * @param since when its lease began
 * @param tenant whose it is, where that is counted
 * @param limited null if it has no rate limit, or is finished
 * @param order null if it has no order key, or keeps no other job of its key back
 */
public record IndexEntry(
        JobId id,
        @Nullable Queue queue,
        int priority,
        long rank,
        int mark,
        @Nullable String worker,
        long since,
        @Nullable DeliveryRef deliveryRef,
        @Nullable Instant wakesAt,
        @Nullable String tenant,
        @Nullable Limited limited,
        @Nullable Ordered order) {

    /**
     * The place of the job in the line of its order key.
     *
     * @param runs another job of the line has to wait, whatever its number is
     */
    public record Ordered(String queue, long line, long number, boolean runs) {}

    /**
     * The rate limit of the job.
     *
     * @param onLimit what becomes of it if it cannot start
     * @param active it runs on a permit of the key
     * @param putOff it is scheduled for when its turn was expected
     */
    record Limited(String key, OnLimit onLimit, boolean active, boolean putOff) {}

    /** Returns the position in the ready order, among jobs of its priority. */
    public long number() {
        return TypeHash.number(rank, mark);
    }

    public static IndexEntry of(JobRecord job, Queue queue) {
        return of(job, queue, queue.countsTenantOf(job.id) ? job.tenant : null);
    }

    /** Returns the entry of a job until its tenant is counted. */
    public static IndexEntry uncounted(JobRecord job, Queue queue) {
        return of(job, queue, null);
    }

    /** Returns the entry of a job of which nothing else is known. */
    public static IndexEntry of(JobId job) {
        return new IndexEntry(job, null, 0, 0, 0, null, 0, null, null, null, null, null);
    }

    /** Returns the same in the line of an order key. */
    public IndexEntry in(Ordered place) {
        return new IndexEntry(
                id, queue, priority, rank, mark, worker, since, deliveryRef, wakesAt, tenant, limited, place);
    }

    private static IndexEntry of(JobRecord job, Queue queue, @Nullable String tenant) {
        Lease lease = job.lease;
        return new IndexEntry(
                job.id,
                job.isReady() ? queue : null,
                job.priority,
                job.rank,
                TypeHash.of(job.type, job.version),
                lease == null ? null : lease.holder(),
                job.startedAt == null ? 0 : job.startedAt.toEpochMilli(),
                lease == null ? null : lease.deliveryRef(),
                job.wakesAt(),
                tenant,
                job.limitKey == null || !job.isLive() ? null : limited(job, job.limitKey),
                ordered(job));
    }

    /** Returns the entry of a ready job, as far as the order of its queue needs it. */
    static IndexEntry ready(
            JobId id, Queue queue, int priority, long number, @Nullable String tenant, @Nullable Limited limited) {
        return new IndexEntry(
                id,
                queue,
                priority,
                TypeHash.rank(number),
                TypeHash.mark(number),
                null,
                0,
                null,
                null,
                tenant,
                limited,
                null);
    }

    private static @Nullable Ordered ordered(JobRecord job) {
        OrderPlace place = job.order;
        if (place == null || !job.isInLine()) return null;
        return new Ordered(job.queue, place.line(), place.number(), job.state == JobState.ACTIVE);
    }

    private static Limited limited(JobRecord job, String key) {
        // One that was put off once waits: it is not put off for ever.
        OnLimit onLimit = job.onLimit == OnLimit.RESCHEDULE && job.putOff ? OnLimit.WAIT : job.onLimit;
        return new Limited(key, onLimit, job.permit > 0, job.putOff && job.state == JobState.SCHEDULED);
    }
}
