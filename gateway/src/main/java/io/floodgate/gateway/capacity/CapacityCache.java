package io.floodgate.gateway.capacity;

import io.floodgate.gateway.http.QueueLoad;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.queue.QueueConfig;
import io.floodgate.topics.queue.TenantResource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What is known of the room in bounded queues: from replies, as they come, and from the statuses that partitions publish. Looked
 * at with every enqueue, hence without a lock.
 *
 * <p>A rejection is only believed if everything that may be newer would be known. So the door of a queue is there before the
 * log is asked, or nothing has been forgotten since.
 */
public final class CapacityCache {
    private final int most;
    private final LongSupplier nanos;
    private final Map<String, CachedCapacity> byQueue = new ConcurrentHashMap<>();
    private final LongAdder rejected = new LongAdder();
    private volatile long forgottenAt;
    private volatile long reopenedAt;

    /**
     * @param most queues that are known at a time
     * @param nanos a clock like {@code System.nanoTime()}
     */
    public CapacityCache(int most, LongSupplier nanos) {
        this.most = most;
        this.nanos = nanos;
        forgottenAt = nanos.getAsLong() - 1;
        reopenedAt = forgottenAt;
    }

    /** Returns the time of a question to a partition, to be passed with its rejection. */
    public long now() {
        return nanos.getAsLong();
    }

    /** A partition says how full a queue is, with its answer to any command. */
    public void heard(QueueLoad load) {
        QueueCapacity.of(load).ifPresent(room -> answered(load.queue(), room));
    }

    /** A partition has answered with it. */
    public void answered(String queue, QueueCapacity room) {
        at(queue, room).heard(room);
    }

    /** The same with a whole status. */
    public void answered(String queue, QueueCapacity room, AdmissionGates gates) {
        CachedCapacity door = at(queue, room);
        door.heard(room);
        door.heard(gates);
    }

    /** A partition has published it: of queues without bounds there are many, and nothing to know. */
    public void published(String queue, QueueCapacity room, AdmissionGates gates) {
        boolean isBounded =
                room.config().isBounded() || !room.config().tenants().isNone();
        CachedCapacity door = isBounded ? at(queue, room) : byQueue.get(queue);
        if (door == null) return;
        door.heard(room);
        door.heard(gates);
    }

    /** Judges these jobs before they are written. */
    public CapacityVerdict judge(Demand demand) {
        CachedCapacity door = byQueue.get(demand.queue());
        return door == null ? CapacityVerdict.WRITE : door.judge(demand, now());
    }

    /** Returns whether there seems to be room for it, whatever was let through since the report. */
    public boolean hasRoom(Demand demand) {
        CachedCapacity door = byQueue.get(demand.queue());
        return door == null || door.hasRoom(demand);
    }

    /** Returns whether producers wait for room in it, as far as is known. */
    public boolean blocks(String queue) {
        CachedCapacity door = byQueue.get(queue);
        return door != null && door.blocks();
    }

    /**
     * Forgets rejections, since the policy of all queues has changed: a caller that was rejected before may have
     * capacity now.
     */
    public void defaultsChanged() {
        reopenedAt = now();
        byQueue.values().forEach(CachedCapacity::forgetRejections);
    }

    private CachedCapacity at(String queue, QueueCapacity room) {
        CachedCapacity door = byQueue.get(queue);
        if (door != null) return door;
        makePlace();
        return byQueue.computeIfAbsent(queue, name -> new CachedCapacity(room));
    }

    /**
     * A partition has rejected jobs for want of room.
     *
     * @param asked when the partition was asked
     * @param demand that it was asked for; null for jobs of several queues
     */
    public void rejected(Rejection rejection, long asked, @Nullable Demand demand) {
        QueueLoad load = QueueLoad.of(rejection);
        // Room of a tenant over all queues does not show in the status of one of them.
        if (load.text("limit").equals(Optional.of(TenantResource.JOBS.limit()))) return;
        String tenant = load.text("tenant_id").orElse(null);
        QueueCapacity room = tenant == null
                ? QueueCapacity.of(load).orElse(null)
                : new QueueCapacity(load.number("version").orElse(0), 0, 0, QueueConfig.NONE);
        if (room == null || asked - reopenedAt <= 0) return;
        CachedCapacity door = byQueue.get(load.queue());
        if (door == null) {
            makePlace();
            door = byQueue.computeIfAbsent(
                    load.queue(), name -> asked - forgottenAt > 0 ? new CachedCapacity(room) : null);
        }
        if (door == null) return;
        if (tenant == null) door.rejected(rejection, load, room, demand, now());
        else door.rejectedTenant(tenant, rejection, load, demand, now());
    }

    @Nullable
    CachedCapacity find(String queue) {
        return byQueue.get(queue);
    }

    /** A gateway has rejected this number of jobs without a command. */
    void count(long jobs) {
        rejected.add(jobs);
    }

    /** The number of jobs rejected here that were not reported to the queue's partition yet. */
    public long unreported(String queue) {
        CachedCapacity door = byQueue.get(queue);
        return door == null ? 0 : door.unreported();
    }

    /** Returns the number of jobs that were rejected here. */
    public long rejected() {
        return rejected.sum();
    }

    private void makePlace() {
        if (byQueue.size() < most) return;
        long now = now();
        forgottenAt = now;
        byQueue.values().removeIf(door -> !door.rejectsAt(now));
        if (byQueue.size() >= most) byQueue.clear();
    }

    /** The queue is gone. */
    public void forget(String queue) {
        forgottenAt = now();
        byQueue.remove(queue);
    }

    public void clear() {
        forgottenAt = now();
        byQueue.clear();
    }
}
