package io.floodgate.gateway.access;

import io.floodgate.gateway.connection.PeerAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Counts wrong keys by address. Up to a bound each is answered as a wrong key, then one now and then. A caller with a
 * valid key is let in all the same; else one caller could lock out its neighbours.
 */
final class FailedLogins {
    /** Most failures in a row. */
    static final int MOST = 10;

    private static final Duration ANOTHER_AFTER = Duration.ofSeconds(6);
    private static final int ADDRESSES = 10_000;

    /** The attempts that are left, as of a time. */
    private static final class Left {
        private double attempts = MOST;
        private long at;
    }

    private final LongSupplier nanos;
    private final Map<String, Left> byAddress = new LinkedHashMap<>(64, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Left> eldest) {
            return size() > ADDRESSES;
        }
    };

    /** @param nanos a clock like {@code System.nanoTime()} */
    FailedLogins(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /** A wrong key has come from there; false if too many have. */
    synchronized boolean count(SocketAddress from) {
        long now = nanos.getAsLong();
        Left left = byAddress.computeIfAbsent(PeerAddress.of(from), address -> {
            Left all = new Left();
            all.at = now;
            return all;
        });
        left.attempts = Math.min(MOST, left.attempts + (now - left.at) / (double) ANOTHER_AFTER.toNanos());
        left.at = now;
        if (left.attempts < 1) return false;
        left.attempts--;
        return true;
    }
}
