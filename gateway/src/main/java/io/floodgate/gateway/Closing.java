package io.floodgate.gateway;

import java.util.ArrayDeque;
import java.util.Deque;

/** What was opened, to be closed in the opposite order: all of it, whatever fails on the way. */
final class Closing implements AutoCloseable {
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    synchronized <T extends AutoCloseable> T add(T part) {
        opened.push(part);
        return part;
    }

    /** Closes everything because of a failure; adds further failures to it as suppressed. */
    void closeAfter(Throwable failure) {
        try {
            close();
        } catch (RuntimeException further) {
            failure.addSuppressed(further);
        }
    }

    @Override
    public synchronized void close() {
        IllegalStateException failed = null;
        while (!opened.isEmpty()) {
            try {
                opened.pop().close();
            } catch (Exception e) {
                if (e instanceof InterruptedException) Thread.currentThread().interrupt();
                if (failed == null) failed = new IllegalStateException("a part of the gateway could not be closed", e);
                else failed.addSuppressed(e);
            }
        }
        if (failed != null) throw failed;
    }
}
