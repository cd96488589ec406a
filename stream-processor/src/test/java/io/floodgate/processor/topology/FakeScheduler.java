package io.floodgate.processor.topology;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Delayed;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RunnableScheduledFuture;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** A scheduler whose time passes when the test says so; it is the clock, too. */
final class FakeScheduler extends ScheduledThreadPoolExecutor {
    private final List<Task> planned = new ArrayList<>();
    private final Instant begun;
    private Instant now;
    private Duration ahead = Duration.ZERO;

    FakeScheduler(Instant now) {
        super(0);
        begun = now;
        this.now = now;
    }

    final Clock clock = new Clock() {
        @Override
        public Instant instant() {
            return now.plus(ahead);
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    };

    /** Its clock is wrong by so much; what is planned does not depend on it. */
    void setClock(Duration wrong) {
        ahead = wrong;
    }

    /** What has passed, whatever the clock says. */
    long nanos() {
        return Duration.between(begun, now).toNanos();
    }

    private final class Task extends FutureTask<Void> implements RunnableScheduledFuture<Void> {
        private final Instant at;

        private Task(Runnable command, Instant at) {
            super(command, null);
            this.at = at;
        }

        @Override
        public boolean isPeriodic() {
            return false;
        }

        @Override
        public long getDelay(TimeUnit unit) {
            return unit.convert(Duration.between(now, at));
        }

        @Override
        public int compareTo(Delayed other) {
            return Long.compare(getDelay(TimeUnit.NANOSECONDS), other.getDelay(TimeUnit.NANOSECONDS));
        }
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
        Task task = new Task(command, now.plus(Duration.of(delay, unit.toChronoUnit())));
        planned.add(task);
        return task;
    }

    @Override
    public <V> ScheduledFuture<V> schedule(Callable<V> callable, long delay, TimeUnit unit) {
        throw new UnsupportedOperationException();
    }

    /** Runs what is planned until then, each at its time. */
    void advance(Duration time) {
        Instant end = now.plus(time);
        while (true) {
            planned.removeIf(FutureTask::isDone);
            Task next =
                    planned.stream().min(Comparator.comparing(task -> task.at)).orElse(null);
            if (next == null || next.at.isAfter(end)) break;
            if (next.at.isAfter(now)) now = next.at;
            next.run();
        }
        now = end;
    }

    int planned() {
        planned.removeIf(FutureTask::isDone);
        return planned.size();
    }
}
