package io.floodgate.worker;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * How many more jobs may be claimed: the permits that are free, none while the worker is quiet or closed. A permit is
 * taken before a job is asked for and given back when its handler has ended and its outcome is reported, so claims never
 * exceed what can run. Whatever else should one day hold claims back (a circuit breaker, a limit of its own) belongs here.
 */
final class Capacity {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private int free;
    private boolean quiet;
    private boolean closed;

    Capacity(int permits) {
        free = permits;
    }

    /** Takes all free permits up to {@code most}, waiting for the first; 0 means closed. */
    int claim(int most) throws InterruptedException {
        lock.lock();
        try {
            while (!closed && (quiet || free == 0)) changed.await();
            if (closed) return 0;
            int claimed = Math.min(free, most);
            free -= claimed;
            return claimed;
        } finally {
            lock.unlock();
        }
    }

    void release(int permits) {
        change(() -> free += permits);
    }

    void quiet(boolean value) {
        change(() -> quiet = value);
    }

    void close() {
        change(() -> closed = true);
    }

    int free() {
        lock.lock();
        try {
            return free;
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
