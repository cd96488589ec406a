package io.floodgate.client;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** The bound on what waits to be sent or is under way, in jobs and in bytes. */
final class SendCapacity {
    private final ProducerConfig.Buffering config;
    private final ProducerListener listener;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private long jobs;
    private long bytes;

    SendCapacity(ProducerConfig.Buffering config, ProducerListener listener) {
        this.config = config;
        this.listener = listener;
    }

    /** Waits for room, at most {@code patience} nanoseconds; false if there was none. */
    boolean take(long moreJobs, long moreBytes, long patience) throws InterruptedException {
        lock.lock();
        try {
            long left = patience;
            while (!fits(moreJobs, moreBytes)) {
                if (left <= 0) return false;
                left = changed.awaitNanos(left);
            }
            add(moreJobs, moreBytes);
        } finally {
            lock.unlock();
        }
        tell();
        return true;
    }

    /** Takes capacity for jobs that are there already, whatever the bound. */
    void force(long moreJobs, long moreBytes) {
        lock.lock();
        try {
            add(moreJobs, moreBytes);
        } finally {
            lock.unlock();
        }
        tell();
    }

    void release(long fewerJobs, long fewerBytes) {
        lock.lock();
        try {
            add(-fewerJobs, -fewerBytes);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        tell();
    }

    /** Returns whether nothing is left; waits at most {@code patience} nanoseconds. */
    boolean awaitEmpty(long patience) throws InterruptedException {
        lock.lock();
        try {
            long left = patience;
            while (jobs > 0 && left > 0) left = changed.awaitNanos(left);
            return jobs == 0;
        } finally {
            lock.unlock();
        }
    }

    long jobs() {
        lock.lock();
        try {
            return jobs;
        } finally {
            lock.unlock();
        }
    }

    BufferFull full(PendingSend rejected) {
        lock.lock();
        try {
            return new BufferFull(jobs, bytes, rejected.jobId());
        } finally {
            lock.unlock();
        }
    }

    private boolean fits(long moreJobs, long moreBytes) {
        return jobs + moreJobs <= config.jobs() && bytes + moreBytes <= config.bytes();
    }

    private void add(long moreJobs, long moreBytes) {
        jobs += moreJobs;
        bytes += moreBytes;
    }

    private void tell() {
        long nowJobs;
        long nowBytes;
        lock.lock();
        try {
            nowJobs = jobs;
            nowBytes = bytes;
        } finally {
            lock.unlock();
        }
        double saturation = Math.max((double) nowJobs / config.jobs(), (double) nowBytes / config.bytes());
        listener.buffered(nowJobs, nowBytes, saturation);
    }
}
