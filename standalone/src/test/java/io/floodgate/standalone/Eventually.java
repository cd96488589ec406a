package io.floodgate.standalone;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/** Waits for what other threads and the broker do. */
public final class Eventually {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private Eventually() {}

    public static void until(String what, Callable<Boolean> holds) throws Exception {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!holds.call()) {
            if (System.nanoTime() > deadline) throw new AssertionError("never came to be: " + what);
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }
}
