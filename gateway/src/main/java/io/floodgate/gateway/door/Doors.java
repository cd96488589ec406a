package io.floodgate.gateway.door;

import io.floodgate.gateway.http.QueueLoad;
import io.floodgate.topics.command.Refusal;
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

    /**
     * @param most queues that are known at a time
     * @param nanos a clock like {@code System.nanoTime()}
     */
    public Doors(int most, LongSupplier nanos) {
        this.most = most;
        this.nanos = nanos;
        forgottenAt = nanos.getAsLong() - 1;
    }

    /** When something is asked of a log, to be told with what it refuses. */
    public long now() {
        return nanos.getAsLong();
    }

    /** A log tells how full a queue is, with whatever it has been asked. */
    public void heard(QueueLoad load) {
        Room.of(load).ifPresent(room -> answered(load.queue(), room));
    }

    /** A log has answered with it. */
    public void answered(String queue, Room room) {
        at(queue, room).heard(room);
    }

    /** A log has published it: of queues without bounds there are many, and nothing to know. */
    public void published(String queue, Room room) {
        Door door = room.config().isBounded() ? at(queue, room) : byQueue.get(queue);
        if (door != null) door.heard(room);
    }

    private Door at(String queue, Room room) {
        Door door = byQueue.get(queue);
        if (door != null) return door;
        makePlace();
        return byQueue.computeIfAbsent(queue, name -> new Door(room));
    }

    /** @param asked when the log was asked */
    public void refused(Refusal refusal, long asked) {
        QueueLoad load = QueueLoad.of(refusal);
        Room room = Room.of(load).orElse(null);
        if (room == null) return;
        Door door = byQueue.get(load.queue());
        if (door == null) {
            makePlace();
            door = byQueue.computeIfAbsent(load.queue(), name -> asked - forgottenAt > 0 ? new Door(room) : null);
        }
        if (door != null) door.refused(refusal, load, room, now());
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
