package io.floodgate.gateway.door;

import io.floodgate.gateway.http.QueueLoad;
import io.floodgate.topics.command.Refusal;
import io.floodgate.topics.queue.QueueConfig;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What is known of the room in bounded queues: from replies, as they come, and from the statuses that logs publish. Looked
 * at with every enqueue, hence without a lock.
 *
 * <p>A refusal is only believed if everything that may be newer would be known. So the door of a queue is there before the
 * log is asked, or nothing has been forgotten since.
 */
public final class Doors {
    private final int most;
    private final LongSupplier nanos;
    private final Map<String, Door> byQueue = new ConcurrentHashMap<>();
    private final LongAdder refused = new LongAdder();
    private volatile long forgottenAt;
    private volatile long reopenedAt;

    /**
     * @param most queues that are known at a time
     * @param nanos a clock like {@code System.nanoTime()}
     */
    public Doors(int most, LongSupplier nanos) {
        this.most = most;
        this.nanos = nanos;
        forgottenAt = nanos.getAsLong() - 1;
        reopenedAt = forgottenAt;
    }

    /** When something is asked of a log, to be told with what it refuses. */
    public long now() {
        return nanos.getAsLong();
    }

    /** A log tells how full a queue is, with whatever it has been asked. */
    public void heard(QueueLoad load) {
        QueueCapacity.of(load).ifPresent(room -> answered(load.queue(), room));
    }

    /** A log has answered with it. */
    public void answered(String queue, QueueCapacity room) {
        at(queue, room).heard(room);
    }

    /** The same with a whole status. */
    public void answered(String queue, QueueCapacity room, AdmissionGates gates) {
        Door door = at(queue, room);
        door.heard(room);
        door.heard(gates);
    }

    /** A log has published it: of queues without bounds there are many, and nothing to know. */
    public void published(String queue, QueueCapacity room, AdmissionGates gates) {
        boolean isBounded =
                room.config().isBounded() || !room.config().tenants().isNone();
        Door door = isBounded ? at(queue, room) : byQueue.get(queue);
        if (door == null) return;
        door.heard(room);
        door.heard(gates);
    }

    /** What is known of these jobs, before they are written. */
    public CapacityVerdict judge(Demand demand) {
        Door door = byQueue.get(demand.queue());
        return door == null ? CapacityVerdict.WRITE : door.judge(demand, now());
    }

    /** Whether there seems to be room for it, whatever was let through since that was told. */
    public boolean hasRoom(Demand demand) {
        Door door = byQueue.get(demand.queue());
        return door == null || door.hasRoom(demand);
    }

    /** Whether producers wait for room in it, as far as is known. */
    public boolean blocks(String queue) {
        Door door = byQueue.get(queue);
        return door != null && door.blocks();
    }

    /** What was decided about all queues has changed: a caller that was refused before may have room now. */
    public void defaultsChanged() {
        reopenedAt = now();
        byQueue.values().forEach(Door::forgetRefusals);
    }

    private Door at(String queue, QueueCapacity room) {
        Door door = byQueue.get(queue);
        if (door != null) return door;
        makePlace();
        return byQueue.computeIfAbsent(queue, name -> new Door(room));
    }

    /**
     * A log has refused jobs for want of room.
     *
     * @param asked when the log was asked
     * @param demand that it was asked for; null for jobs of several queues
     */
    public void refused(Refusal refusal, long asked, @Nullable Demand demand) {
        QueueLoad load = QueueLoad.of(refusal);
        String tenant = load.text("tenant_id").orElse(null);
        QueueCapacity room = tenant == null
                ? QueueCapacity.of(load).orElse(null)
                : new QueueCapacity(load.number("version").orElse(0), 0, 0, QueueConfig.NONE);
        if (room == null || asked - reopenedAt <= 0) return;
        Door door = byQueue.get(load.queue());
        if (door == null) {
            makePlace();
            door = byQueue.computeIfAbsent(load.queue(), name -> asked - forgottenAt > 0 ? new Door(room) : null);
        }
        if (door == null) return;
        if (tenant == null) door.refused(refusal, load, room, demand, now());
        else door.refusedTenant(tenant, refusal, load, demand, now());
    }

    @Nullable
    Door find(String queue) {
        return byQueue.get(queue);
    }

    /** So many jobs were refused at one of the doors. */
    void count(long jobs) {
        refused.add(jobs);
    }

    /** Of jobs refused here, how many the queue's log has not been told of yet. */
    public long untold(String queue) {
        Door door = byQueue.get(queue);
        return door == null ? 0 : door.untold();
    }

    /** How many jobs have been refused here. */
    public long refused() {
        return refused.sum();
    }

    private void makePlace() {
        if (byQueue.size() < most) return;
        long now = now();
        forgottenAt = now;
        byQueue.values().removeIf(door -> !door.refusesAt(now));
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
