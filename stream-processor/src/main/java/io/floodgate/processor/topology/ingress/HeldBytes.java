package io.floodgate.processor.topology.ingress;

import java.util.concurrent.atomic.AtomicLong;

/** The bytes that all flows of a process hold together. */
final class HeldBytes {
    static final long MOST_BYTES = 32L * 1024 * 1024;

    private final AtomicLong bytes = new AtomicLong();

    void add(long more) {
        bytes.addAndGet(more);
    }

    boolean isFull() {
        return bytes.get() >= MOST_BYTES;
    }

    long bytes() {
        return bytes.get();
    }
}
