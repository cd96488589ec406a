package io.floodgate.gateway.connection;

import java.util.HashMap;
import java.util.Map;

/**
 * The memory for heads of requests. It is apart from that for bodies and answers, because a head arrives before the caller
 * has shown a key. No address may take more of it than it leaves for all others.
 */
public final class HeadMemory {
    private static final int PART_OF_REQUESTS = 4;

    private final long max;
    private final Map<String, Long> taken = new HashMap<>();
    private long takenByAll;

    public HeadMemory(long max) {
        this.max = max;
    }

    /** Returns the memory for heads that fits beside the memory for bodies and answers. */
    public static HeadMemory beside(long requestBytes) {
        return new HeadMemory(requestBytes / PART_OF_REQUESTS);
    }

    Share share(String address) {
        return new Share(address);
    }

    public synchronized double saturation() {
        return (double) takenByAll / max;
    }

    private synchronized boolean take(String address, long more) {
        long own = taken.getOrDefault(address, 0L) + more;
        if (own > max - takenByAll - more) return false;
        taken.put(address, own);
        takenByAll += more;
        return true;
    }

    private synchronized void giveBack(String address, long bytes) {
        takenByAll -= bytes;
        taken.computeIfPresent(address, (of, own) -> own == bytes ? null : own - bytes);
    }

    /** The memory of one connection; touched by the thread that serves it only. */
    final class Share implements AutoCloseable {
        private final String address;
        private long bytes;

        private Share(String address) {
            this.address = address;
        }

        boolean growTo(long size) {
            if (size <= bytes) return true;
            if (!take(address, size - bytes)) return false;
            bytes = size;
            return true;
        }

        @Override
        public void close() {
            if (bytes == 0) return;
            giveBack(address, bytes);
            bytes = 0;
        }
    }
}
