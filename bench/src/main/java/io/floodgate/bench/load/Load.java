package io.floodgate.bench.load;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** Lets callers do their operation for as long as the plan says. */
public final class Load {
    /** An open loop that is so far behind will not catch up. */
    private static final Duration LONGEST_OVERTIME = Duration.ofSeconds(15);
    /** The most failures that are kept for the report. */
    private static final long MOST_ERRORS = 10_000;

    static final String TOO_LATE = "an operation that was due was not started: the rate is more than could be served";

    private final Plan plan;
    private final OptionalLong server;
    private final MeasuredWindow window;
    private final Schedule schedule;
    private final Errors errors = new Errors();
    private final AtomicLong failed = new AtomicLong();

    /** The warm-up begins now. */
    public Load(Plan plan) {
        this(plan, OptionalLong.empty());
    }

    /** @param server the process to watch */
    public Load(Plan plan, OptionalLong server) {
        this.plan = plan;
        this.server = server;
        long now = System.nanoTime();
        window = MeasuredWindow.after(now, plan);
        schedule = new Schedule(now, plan.isOpen() ? plan.rate() : 1);
    }

    public MeasuredWindow window() {
        return window;
    }

    /** Where operations report errors that do not end them, but belong into the report. */
    public Errors errors() {
        return errors;
    }

    /** With a platform thread for each caller: for operations that block on sockets. */
    public Measurement onThreads(String name, String how, String unit, LoadOperation.Factory operations)
            throws Exception {
        return run(Thread.ofPlatform().name("bench-", 0).daemon().factory(), name, how, unit, operations);
    }

    /** With a virtual thread for each caller: for operations that wait for replies from the log. */
    public Measurement onVirtualThreads(String name, String how, String unit, LoadOperation.Factory operations)
            throws Exception {
        return run(Thread.ofVirtual().name("bench-", 0).factory(), name, how, unit, operations);
    }

    /** With one thread for all callers: for very many of them. */
    public Measurement onOneThread(String name, String how, String unit, Crowd crowd) throws Exception {
        ServerMeter meter = ServerMeter.watch(server, window);
        Samples samples = new Samples(window);
        try (crowd) {
            new CrowdLoop(crowd, plan.callers(), window, LONGEST_OVERTIME, samples, errors)
                    .run(plan.isOpen() ? schedule::next : null, MOST_ERRORS);
        }
        if (plan.isOpen()) reportMissed();
        return new Measurement(
                name, how, unit, samples.units(), window, Samples.merge(List.of(samples)), meter.use(), errors);
    }

    private Measurement run(
            ThreadFactory threads, String name, String how, String unit, LoadOperation.Factory operations)
            throws Exception {
        ServerMeter meter = ServerMeter.watch(server, window);
        List<LoadOperation> opened = new ArrayList<>();
        List<Samples> samples = new ArrayList<>();
        try {
            for (int caller = 0; caller < plan.callers(); caller++) opened.add(operations.open(caller));
            CountDownLatch ended = new CountDownLatch(opened.size());
            for (LoadOperation operation : opened) {
                Samples own = new Samples(window);
                samples.add(own);
                threads.newThread(() -> call(operation, own, ended)).start();
            }
            ended.await();
        } finally {
            opened.forEach(LoadOperation::close);
        }
        if (plan.isOpen()) reportMissed();
        long units = samples.stream().mapToLong(Samples::units).sum();
        return new Measurement(name, how, unit, units, window, Samples.merge(samples), meter.use(), errors);
    }

    private void call(LoadOperation operation, Samples samples, CountDownLatch ended) {
        try {
            if (plan.isOpen()) open(operation, samples);
            else closed(operation, samples);
        } finally {
            ended.countDown();
        }
    }

    private void closed(LoadOperation operation, Samples samples) {
        long start = System.nanoTime();
        while (!window.isOver(start) && goesOn()) {
            perform(operation, start, samples);
            start = System.nanoTime();
        }
    }

    private void open(LoadOperation operation, Samples samples) {
        for (long due = schedule.next(); !window.isOver(due) && goesOn(); due = schedule.next()) {
            waitUntil(due);
            if (System.nanoTime() - window.end() > LONGEST_OVERTIME.toNanos()) {
                errors.add("late", TOO_LATE);
                continue;
            }
            perform(operation, due, samples);
        }
    }

    private void perform(LoadOperation operation, long due, Samples samples) {
        try {
            int units = operation.run(due);
            samples.add(due, System.nanoTime(), units);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            failed.set(MOST_ERRORS);
        } catch (Exception e) {
            errors.add(e);
            failed.incrementAndGet();
        }
    }

    private boolean goesOn() {
        return failed.get() < MOST_ERRORS;
    }

    private void reportMissed() {
        long missed = schedule.missedBefore(window.end());
        if (missed > 0) errors.add("missed", "an operation that was due was never started", missed);
    }

    private static void waitUntil(long due) {
        for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) LockSupport.parkNanos(left);
    }
}
