package io.floodgate.verification.client;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits for something to become true. */
public final class Await {
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(100);

    @FunctionalInterface
    public interface Condition {
        boolean holds() throws Exception;
    }

    private Await() {}

    /** An exception is a no; the last one is the reason when time is up. */
    public static void until(String what, Duration patience, Condition condition)
            throws InterruptedException, TimeoutException {
        long end = System.nanoTime() + patience.toNanos();
        Exception last = null;
        do {
            try {
                if (condition.holds()) return;
                last = null;
            } catch (InterruptedException e) {
                throw e;
            } catch (Exception notYet) {
                last = notYet;
            }
            pause(BETWEEN_LOOKS);
        } while (System.nanoTime() < end);
        TimeoutException timeout = new TimeoutException("%s: not within %d s".formatted(what, patience.toSeconds()));
        if (last != null) timeout.initCause(last);
        throw timeout;
    }

    public static void pause(Duration length) throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(length.toMillis());
    }
}
