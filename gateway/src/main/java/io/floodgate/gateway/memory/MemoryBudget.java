package io.floodgate.gateway.memory;

import io.floodgate.topics.Topics;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * How many bytes of requests and answers may be in memory at the same time, in all requests together. Handling a body takes
 * several times its size, so the number of connections alone would not keep bodies from exhausting the heap. Memory is
 * taken for what has arrived, not for what is announced. No request waits for room: there is some, or there is none. A source
 * leaves a quarter to all others, the next one a quarter of that, and so on; reports of finished work are not counted for that.
 *
 * <pre>
 *  0 ───────────────────────────── 3/4 ─────────── all ─────────────── all + reserve
 *  large requests and answers ──────▶│
 *  other requests ──────────────────────────────────▶│
 *  reports of finished work ──────────────────────────────────────────────▶│
 * </pre>
 */
public final class MemoryBudget {
    /** Bytes up to which a request is small: larger ones leave memory for small ones. */
    static final int SMALL = 64 * 1024;

    private static final int PART_OF_HEAP = 8;

    /** A source may take this many times what it leaves for all others: alone, three quarters. */
    private static final int PART_OF_A_SOURCE = 3;

    /** Classes of requests for memory: reports of finished work get some when other requests do not. */
    public enum MemoryClass {
        ORDINARY,
        COMPLETION
    }

    private final long most;
    private final long mostOfLarge;
    private final long mostWithReserve;
    private final AtomicLong taken = new AtomicLong();
    private final ConcurrentMap<String, Long> bySource = new ConcurrentHashMap<>();

    /** @param most for all but reports of finished work, which have half as much again to themselves */
    public MemoryBudget(long most) {
        this.most = most;
        mostOfLarge = most - most / 4;
        mostWithReserve = most + most / 2;
    }

    /** Returns a budget that fits the heap, and in any case one request of the largest kind. */
    public static long ofHeap() {
        return Math.max(2L * Topics.MAX_RECORD_BYTES, Runtime.getRuntime().maxMemory() / PART_OF_HEAP);
    }

    /** Returns the share of one request, which has nothing yet. */
    public Share share(MemoryClass memoryClass) {
        return new Share(memoryClass);
    }

    /** Returns how much is taken, as a part of what all but reports of finished work may take. */
    public double saturation() {
        return (double) taken.get() / most;
    }

    public long taken() {
        return taken.get();
    }

    private long ceiling(MemoryClass memoryClass, long size) {
        if (memoryClass == MemoryClass.COMPLETION) return mostWithReserve;
        return size > SMALL ? mostOfLarge : most;
    }

    /** The memory of one request; touched by the thread that serves it only. */
    public final class Share implements AutoCloseable {
        private final MemoryClass memoryClass;
        private @Nullable String source;
        private long bytes;

        private Share(MemoryClass memoryClass) {
            this.memoryClass = memoryClass;
        }

        /** Sets the source of the request, as soon as it is known; before, it takes nothing. */
        public void isFrom(String who) {
            if (memoryClass == MemoryClass.ORDINARY) source = who;
        }

        /**
         * Returns whether the request may have that many bytes. If not, the share stays as it was. A request that is
         * the only one may have any number, or it could never be served.
         */
        public boolean growTo(long size) {
            if (size <= bytes) return true;
            while (true) {
                long now = taken.get();
                long then = now - bytes + size;
                if (now > bytes && (then > ceiling(memoryClass, size) || !leavesRoom(then, size))) return false;
                if (taken.compareAndSet(now, then)) {
                    if (source != null) bySource.merge(source, size - bytes, Long::sum);
                    bytes = size;
                    return true;
                }
            }
        }

        /** Two requests of one source at the same moment may take a little more; the next one finds no room. */
        private boolean leavesRoom(long then, long size) {
            if (source == null) return true;
            long own = bySource.getOrDefault(source, 0L) - bytes + size;
            return own <= PART_OF_A_SOURCE * (most - then);
        }

        /** Returns whether there would be room for that many bytes now, without taking them. */
        public boolean couldGrowTo(long size) {
            long now = taken.get();
            long then = now - bytes + size;
            return now <= bytes || (then <= ceiling(memoryClass, size) && leavesRoom(then, size));
        }

        /** Returns whether there is room for {@code more} bytes, beside those that the request has already. */
        public boolean grow(long more) {
            return growTo(bytes + more);
        }

        /** The request has been answered, or has ended otherwise. */
        @Override
        public void close() {
            if (bytes == 0) return;
            taken.addAndGet(-bytes);
            long own = bytes;
            if (source != null) bySource.computeIfPresent(source, (who, all) -> all == own ? null : all - own);
            bytes = 0;
        }
    }
}
