package io.floodgate.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Time that passes when a test says so: alarms ring one after the other, each at its moment. */
final class ManualTime implements Time {
    private record Pending(long due, Runnable ring) {}

    private final List<Pending> pending = new ArrayList<>();
    private long now;

    @Override
    public synchronized long now() {
        return now;
    }

    @Override
    public synchronized Alarm after(long nanos, Runnable ring) {
        Pending alarm = new Pending(now + nanos, ring);
        pending.add(alarm);
        return () -> remove(alarm);
    }

    private synchronized void remove(Pending alarm) {
        pending.remove(alarm);
    }

    void pass(Duration time) {
        long end = now() + time.toNanos();
        for (Optional<Pending> next = next(end); next.isPresent(); next = next(end))
            next.get().ring.run();
        goTo(end);
    }

    private synchronized Optional<Pending> next(long end) {
        Optional<Pending> next =
                pending.stream().filter(alarm -> alarm.due <= end).min(Comparator.comparingLong(Pending::due));
        next.ifPresent(alarm -> {
            pending.remove(alarm);
            goTo(alarm.due);
        });
        return next;
    }

    private synchronized void goTo(long moment) {
        now = Math.max(now, moment);
    }

    @Override
    public void close() {}
}
