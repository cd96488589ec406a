package io.floodgate.bench.run;

import io.floodgate.bench.load.Errors;
import io.floodgate.bench.load.Load;
import io.floodgate.bench.load.Measurement;
import io.floodgate.bench.load.Samples;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** From the moment a job was due to be sent to the moment its handler started, by the job's number. */
final class Handoffs {
    private static final long LONGEST_WAIT_SECONDS = 10;

    private final Samples samples;
    private final AtomicLong numbers = new AtomicLong();
    private final Map<Long, Long> underWay = new ConcurrentHashMap<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition arrived = lock.newCondition();

    Handoffs(Load load) {
        samples = new Samples(load.window());
    }

    /** The number for the next job, to be taken just before it is sent. */
    long send(long due) {
        long number = numbers.incrementAndGet();
        underWay.put(number, due);
        return number;
    }

    void notSent(long number) {
        underWay.remove(number);
    }

    void started(long number) {
        long now = System.nanoTime();
        Long due = underWay.remove(number);
        if (due == null) return;
        samples.add(due, now, 1);
        lock.lock();
        try {
            arrived.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** To be asked when no more is sent: waits for what is under way. */
    Measurement measured(String name, String how, Measurement sending) throws InterruptedException {
        lock.lock();
        try {
            long left = TimeUnit.SECONDS.toNanos(LONGEST_WAIT_SECONDS);
            while (!underWay.isEmpty() && left > 0) left = arrived.awaitNanos(left);
        } finally {
            lock.unlock();
        }
        Errors errors = sending.errors();
        if (!underWay.isEmpty()) errors.add("lost", "a job was enqueued and never handed out", underWay.size());
        return new Measurement(
                name,
                how,
                "jobs",
                samples.units(),
                sending.window(),
                Samples.merge(List.of(samples)),
                sending.server(),
                errors);
    }
}
