package io.floodgate.processor.queue;

import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The state of one queue. The order of what is ready is kept in memory only, and rebuilt from the jobs at a start. */
final class Queue {
    private static final int VERSION = 1;

    final String name;
    final ReadyOrder ready = new ReadyOrder();
    /** Its first use. */
    Instant createdAt = Instant.EPOCH;

    Counts counts = new Counts();

    @Nullable
    Instant pausedAt;

    Instant updatedAt = Instant.EPOCH;
    long version;
    private long ranks;
    private @Nullable Throughput throughput;

    Queue(String name) {
        this.name = name;
    }

    boolean isPaused() {
        return pausedAt != null;
    }

    /** A rank at the end of the line. */
    long nextRank() {
        return ++ranks;
    }

    /** Nothing is in it, nothing is left of what was, and nobody has given it a meaning of its own. */
    boolean isUnused() {
        return pausedAt == null && counts.all() == 0;
    }

    Throughput throughput() {
        if (throughput == null) throughput = new Throughput();
        return throughput;
    }

    Throughput.Figures figures(Instant now) {
        return (throughput == null ? Throughput.NONE : throughput).at(now);
    }

    byte[] write() {
        BinaryOut out = new BinaryOut().u8(VERSION).time(createdAt).time(updatedAt);
        out.optional(pausedAt).number(version).number(ranks);
        counts.write(out);
        (throughput == null ? Throughput.NONE : throughput).write(out);
        return out.toBytes();
    }

    static Queue read(String name, byte[] value) {
        Queue queue = new Queue(name);
        queue.restore(value);
        return queue;
    }

    /** Makes it what is stored; those who are ready stay. */
    void restore(byte[] value) {
        BinaryIn in = new BinaryIn(value);
        in.version(VERSION, () -> "queue " + name);
        createdAt = in.time();
        updatedAt = in.time();
        pausedAt = in.optionalTime();
        version = in.number();
        ranks = in.number();
        counts = Counts.read(in);
        Throughput read = Throughput.read(in);
        throughput = read.isEmpty() ? null : read;
    }
}
