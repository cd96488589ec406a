package io.floodgate.worker;

import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How many more jobs may be claimed. Every job takes three things before it is asked for, so that a claim never exceeds what
 * can run and no outcome ever lacks a place: a permit for its handler, given back when the handler has ended; a place among
 * those that wait for their handler, given back when that begins; and a place among those in hand, given back when the partition
 * has answered what became of it.
 */
final class ClaimCapacity {
    /** Reasons why nothing may be claimed. */
    enum Obstacle {
        QUIET,
        PERMITS,
        DISPATCH,
        COMPLETIONS;

        /** Returns the label for metrics. */
        String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private final int permits;
    private final int dispatchBuffer;
    private final int completionBuffer;
    private final double threshold;
    private final Watcher watcher;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private int handlers;
    private int asked;
    private int waiting;
    private int inHand;
    private int unanswered;
    private boolean quiet;
    private boolean closed;

    /** Observes claims. */
    interface Watcher {
        /** A claim has to wait. */
        void rejected(Obstacle obstacle);

        /** A claim has been made. */
        void claimed(Duration waitedForPermits);
    }

    ClaimCapacity(int permits, Protection protection, Watcher watcher) {
        this.permits = permits;
        dispatchBuffer = protection.dispatchBuffer();
        completionBuffer = protection.completionBuffer();
        threshold = protection.claimThreshold();
        this.watcher = watcher;
    }

    /** Takes what up to {@code most} jobs need, waiting until one could be run; 0 means closed. */
    int claim(int most) throws InterruptedException {
        lock.lock();
        try {
            Obstacle obstacle = closed ? null : obstacle();
            if (obstacle != null) watcher.rejected(obstacle);
            long waited = 0;
            while (!closed && obstacle != null) {
                long since = System.nanoTime();
                changed.await();
                if (obstacle == Obstacle.PERMITS) waited += System.nanoTime() - since;
                obstacle = obstacle();
            }
            if (closed) return 0;
            watcher.claimed(Duration.ofNanos(waited));
            int room = Math.min(dispatchBuffer - asked - waiting, completionBuffer - inHand);
            int claimed = Math.min(most, Math.min(permits - handlers, room));
            handlers += claimed;
            asked += claimed;
            inHand += claimed;
            return claimed;
        } finally {
            lock.unlock();
        }
    }

    private @Nullable Obstacle obstacle() {
        if (quiet) return Obstacle.QUIET;
        if (handlers >= permits) return Obstacle.PERMITS;
        if (asked + waiting >= Math.ceil(threshold * dispatchBuffer)) return Obstacle.DISPATCH;
        if (unanswered >= Math.ceil(threshold * completionBuffer) || inHand >= completionBuffer)
            return Obstacle.COMPLETIONS;
        return null;
    }

    /** {@code jobs} of the claimed jobs have come: the capacity for the others is free again. */
    void came(int jobs, int claimed) {
        change(() -> {
            asked -= claimed;
            waiting += jobs;
            handlers -= claimed - jobs;
            inHand -= claimed - jobs;
        });
    }

    /** A job waits for its handler no longer. */
    void begun() {
        change(() -> waiting--);
    }

    /** A handler has ended, or will never begin. */
    void handlerEnded() {
        change(() -> handlers--);
    }

    /** Gives back the slot of a job whose outcome is known. */
    void decided() {
        change(() -> unanswered++);
    }

    /** The partition knows what became of a job. */
    void answered() {
        change(() -> {
            unanswered--;
            inHand--;
        });
    }

    void quiet(boolean value) {
        change(() -> quiet = value);
    }

    void close() {
        change(() -> closed = true);
    }

    /** Permits for handlers. */
    int free() {
        return read(() -> permits - handlers);
    }

    /**
     * Returns how full the buffer of waiting jobs is. No more is ever claimed than there are permits, so the buffer
     * alone would hardly ever be full.
     */
    double dispatchSaturation() {
        return (double) read(() -> waiting) / Math.min(dispatchBuffer, permits);
    }

    double completionSaturation() {
        return (double) read(() -> unanswered) / completionBuffer;
    }

    private int read(IntSupplier value) {
        lock.lock();
        try {
            return value.getAsInt();
        } finally {
            lock.unlock();
        }
    }

    private void change(Runnable change) {
        lock.lock();
        try {
            change.run();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
