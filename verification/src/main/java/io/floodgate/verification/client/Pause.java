package io.floodgate.verification.client;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Doing nothing for a while, as callers do. */
public final class Pause {
    private Pause() {}

    public static void of(Duration length) {
        long end = System.nanoTime() + length.toNanos();
        for (long left = length.toNanos(); left > 0; left = end - System.nanoTime()) LockSupport.parkNanos(left);
    }
}
