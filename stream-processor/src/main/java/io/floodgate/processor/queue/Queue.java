package io.floodgate.processor.queue;

import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import java.time.Instant;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The state of one queue. Ready order and who waits are kept in memory only, and rebuilt from the jobs at a start. */
final class Queue {
    private static final int VERSION = 1;

    final String name;
    /** Its first use; meaningless before. */
    Instant createdAt = Instant.EPOCH;

    Counts counts = new Counts();
    Throughput throughput = new Throughput();

    @Nullable
    Instant pausedAt;

    Instant updatedAt = Instant.EPOCH;
    long version;
    private long places;

    final ReadyOrder ready = new ReadyOrder();
    /** Who waits for a job here, and who only wants to be told of one, by number. */
    final TreeMap<Long, Parked> fetches = new TreeMap<>();

    final TreeMap<Long, Parked> watches = new TreeMap<>();

    Queue(String name) {
        this.name = name;
    }

    /** Used at least once; the others are nameplates for those who wait for a first job. */
    boolean exists() {
        return version > 0;
    }

    boolean isPaused() {
        return pausedAt != null;
    }

    /** A place at the end of the line. */
    long nextPlace() {
        return ++places;
    }

    byte[] write() {
        BinaryOut out = new BinaryOut().u8(VERSION).time(createdAt).time(updatedAt);
        out.optional(pausedAt).number(version).number(places);
        counts.write(out);
        throughput.write(out);
        return out.toBytes();
    }

    static Queue read(String name, byte[] value) {
        BinaryIn in = new BinaryIn(value);
        in.version(VERSION, () -> "queue " + name);
        Queue queue = new Queue(name);
        queue.createdAt = in.time();
        queue.updatedAt = in.time();
        queue.pausedAt = in.optionalTime();
        queue.version = in.number();
        queue.places = in.number();
        queue.counts = Counts.read(in);
        queue.throughput = Throughput.read(in);
        return queue;
    }
}
