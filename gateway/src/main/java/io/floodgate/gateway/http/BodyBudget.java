package io.floodgate.gateway.http;

import io.floodgate.topics.Topics;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How many bytes of request bodies may be in memory at the same time, in all requests together. Handling a body takes
 * several times its size, so the number of connections alone would not keep large ones from exhausting the heap. Nobody
 * waits for room: there is some, or there is none.
 */
public final class BodyBudget {
    /** Smaller bodies are not counted: there may be one for each connection. */
    static final int UNCOUNTED = 64 * 1024;

    private static final int PART_OF_HEAP = 8;

    private final long most;
    private final AtomicLong taken = new AtomicLong();

    public BodyBudget(long most) {
        this.most = most;
    }

    /** What fits the heap, and in any case one body of the largest kind. */
    public static BodyBudget ofHeap() {
        return new BodyBudget(
                Math.max(Topics.MAX_RECORD_BYTES, Runtime.getRuntime().maxMemory() / PART_OF_HEAP));
    }

    /** For one request, which has nothing yet. */
    Share share() {
        return new Share();
    }

    long taken() {
        return taken.get();
    }

    /** What one request has taken; touched by the thread that serves it only. */
    final class Share implements AutoCloseable {
        private long bytes;

        private Share() {}

        /**
         * Whether the body may have that many bytes. If not, the share stays as it was. A body that is the only one may
         * have any size, or it could never be served.
         */
        boolean growTo(long size) {
            if (isSmall(size)) return true;
            while (true) {
                long now = taken.get();
                long then = now - bytes + size;
                if (then > most && now > bytes) return false;
                if (taken.compareAndSet(now, then)) {
                    bytes = size;
                    return true;
                }
            }
        }

        /** As {@link #growTo}, for what must be let in: it may exceed the budget, and others then find less room. */
        void growAnyway(long size) {
            if (isSmall(size)) return;
            taken.addAndGet(size - bytes);
            bytes = size;
        }

        private boolean isSmall(long size) {
            return size <= UNCOUNTED || size <= bytes;
        }

        /** The request has been answered, or has ended otherwise. */
        @Override
        public void close() {
            taken.addAndGet(-bytes);
            bytes = 0;
        }
    }
}
