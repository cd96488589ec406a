package io.floodgate.bench.load;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The callers of one part at work. */
final class Callers implements AutoCloseable {
    /** An open loop that is so far behind will not catch up. */
    private static final Duration LONGEST_OVERTIME = Duration.ofSeconds(15);

    private static final long MAX_FAILURES = 10_000;

    private final Part part;
    private final MeasuredWindow window;
    private final BooleanSupplier isOver;
    private final @Nullable Schedule schedule;
    private final Samples samples;
    private final LoadSteps steps;
    private final Errors errors = new Errors();
    private final List<LoadOperation> operations = new ArrayList<>();
    private final AtomicLong failures = new AtomicLong();

    Callers(Part part, long begun, MeasuredWindow window, BooleanSupplier isOver) throws Exception {
        this.part = part;
        this.window = window;
        this.isOver = isOver;
        schedule = part.isOpen() ? new Schedule(begun, part.rate()) : null;
        samples = new Samples(window);
        steps = new LoadSteps(window);
        for (int caller = 0; caller < part.callers(); caller++)
            operations.add(part.operations().open(caller, steps));
    }

    List<Thread> start() {
        ThreadFactory threads = part.isVirtual()
                ? Thread.ofVirtual().factory()
                : Thread.ofPlatform().name("bench-", 0).daemon().factory();
        List<Thread> all = operations.stream()
                .map(each -> threads.newThread(() -> work(each)))
                .toList();
        all.forEach(Thread::start);
        return all;
    }

    private void work(LoadOperation operation) {
        for (long due = next(); goesOn(due); due = next()) {
            Load.waitUntil(due);
            if (System.nanoTime() - window.end() > LONGEST_OVERTIME.toNanos())
                errors.add("late", "an operation was due and not started: the rate is more than was served");
            else perform(operation, due);
        }
    }

    private long next() {
        return schedule == null ? System.nanoTime() : schedule.next();
    }

    private boolean goesOn(long due) {
        return !window.isOver(due) && !isOver.getAsBoolean() && failures.get() < MAX_FAILURES;
    }

    private void perform(LoadOperation operation, long due) {
        try {
            int units = operation.run(due);
            samples.add(due, System.nanoTime(), units);
        } catch (Exception e) {
            errors.add(e);
            failures.incrementAndGet();
        }
    }

    List<Measurement> measured(Duration time, Duration server) {
        long missed = schedule == null || isOver.getAsBoolean() ? 0 : schedule.missedBefore(window.end());
        if (missed > 0) errors.add("missed", "an operation that was due was never started", missed);
        List<Measurement> all = new ArrayList<>();
        all.add(samples.measured(part.name(), part.unit(), time, server, errors));
        all.addAll(steps.measured(part.name(), time));
        return all;
    }

    @Override
    public void close() {
        operations.forEach(LoadOperation::close);
    }
}
