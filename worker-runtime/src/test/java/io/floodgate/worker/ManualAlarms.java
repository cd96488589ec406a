package io.floodgate.worker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Time that passes when a test says so. */
final class ManualAlarms implements WorkerClock {
    private record Pending(Duration due, Runnable ring) {}

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition added = lock.newCondition();
    private final List<Pending> pending = new ArrayList<>();
    private Duration now = Duration.ZERO;
    private int set;

    @Override
    public Alarm after(Duration delay, Runnable ring) {
        lock.lock();
        try {
            Pending alarm = new Pending(now.plus(delay), ring);
            pending.add(alarm);
            set++;
            added.signalAll();
            return () -> remove(alarm);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Duration now() {
        lock.lock();
        try {
            return now;
        } finally {
            lock.unlock();
        }
    }

    /** Rings what is due within this time. */
    void pass(Duration time) {
        List<Pending> due;
        lock.lock();
        try {
            now = now.plus(time);
            due = pending.stream()
                    .filter(alarm -> alarm.due.compareTo(now) <= 0)
                    .sorted(Comparator.comparing(Pending::due))
                    .toList();
            pending.removeAll(due);
        } finally {
            lock.unlock();
        }
        due.forEach(alarm -> alarm.ring.run());
    }

    /** Waits until an alarm is set that rings within this time, and lets the time pass. */
    void passOnceSet(Duration time) throws InterruptedException {
        awaitSet(time);
        pass(time);
    }

    /** Waits until an alarm is set that rings within this time. */
    void awaitSet(Duration time) throws InterruptedException {
        lock.lock();
        try {
            long left = TimeUnit.SECONDS.toNanos(20);
            while (pending.stream().noneMatch(alarm -> alarm.due.compareTo(now.plus(time)) <= 0)) {
                if (left <= 0) throw new AssertionError("no alarm was set");
                left = added.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    /** How many alarms are set now. */
    int pending() {
        lock.lock();
        try {
            return pending.size();
        } finally {
            lock.unlock();
        }
    }

    /** How many alarms have been set since the beginning. */
    int set() {
        lock.lock();
        try {
            return set;
        } finally {
            lock.unlock();
        }
    }

    private void remove(Pending alarm) {
        lock.lock();
        try {
            pending.remove(alarm);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {}
}
