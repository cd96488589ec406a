package io.floodgate.processor.kernel;

import io.floodgate.topics.JobId;
import java.time.Instant;
import java.util.Comparator;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What is to happen by itself, in an order that does not depend on how it came about. Kept in memory: every timer
 * follows from stored state, and is set again when a log is opened.
 */
public final class Timers {
    /** What a timer is about. The order decides between timers of the same millisecond. */
    public enum Kind {
        JOB,
        PARKED,
        WORKER,
        HOUSEKEEPING,
        BATCH,
        WORK,
        QUEUE
    }

    /** At this time, look at this thing. {@code high} and {@code low} are a job's id or a parked fetch's number. */
    public record Timer(Instant at, Kind kind, long high, long low, String name) implements Comparable<Timer> {
        private static final Comparator<Timer> ORDER = Comparator.comparing(Timer::at)
                .thenComparing(Timer::kind)
                .thenComparing(Timer::high, Long::compareUnsigned)
                .thenComparing(Timer::low, Long::compareUnsigned)
                .thenComparing(Timer::name);

        public static Timer job(Instant at, JobId job) {
            return new Timer(at, Kind.JOB, job.high(), job.low(), "");
        }

        public static Timer parked(Instant at, long number) {
            return new Timer(at, Kind.PARKED, number, 0, "");
        }

        public static Timer worker(Instant at, String worker) {
            return new Timer(at, Kind.WORKER, 0, 0, worker);
        }

        public static Timer housekeeping(Instant at) {
            return new Timer(at, Kind.HOUSEKEEPING, 0, 0, "");
        }

        public static Timer batch(Instant at, String name) {
            return new Timer(at, Kind.BATCH, 0, 0, name);
        }

        public static Timer queue(Instant at, String name) {
            return new Timer(at, Kind.QUEUE, 0, 0, name);
        }

        /** @param turn among all slices of work: whoever has waited longest is next */
        public static Timer work(Instant at, long turn) {
            return new Timer(at, Kind.WORK, turn, 0, "");
        }

        public JobId job() {
            return new JobId(high, low);
        }

        @Override
        public int compareTo(Timer other) {
            return ORDER.compare(this, other);
        }
    }

    private final TreeSet<Timer> timers = new TreeSet<>();
    /** Apart from the others: one slice of work is done before a record, whatever else is due. */
    private final TreeSet<Timer> work = new TreeSet<>();

    private final Undo undo;

    public Timers(Undo undo) {
        this.undo = undo;
    }

    public void set(Timer timer) {
        if (of(timer).add(timer)) undo.by(() -> of(timer).remove(timer));
    }

    public void cancel(Timer timer) {
        if (of(timer).remove(timer)) undo.by(() -> of(timer).add(timer));
    }

    private TreeSet<Timer> of(Timer timer) {
        return timer.kind() == Kind.WORK ? work : timers;
    }

    /** The earliest timer that is due; null when none is. */
    public @Nullable Timer due(Instant now) {
        return firstOf(timers, now);
    }

    /** The slice of work that is due and whose turn it is; null when there is none. */
    public @Nullable Timer dueWork(Instant now) {
        return firstOf(work, now);
    }

    private static @Nullable Timer firstOf(TreeSet<Timer> timers, Instant now) {
        return timers.isEmpty() || timers.first().at().isAfter(now) ? null : timers.first();
    }

    public @Nullable Instant next() {
        if (timers.isEmpty()) return work.isEmpty() ? null : work.first().at();
        Instant first = timers.first().at();
        return work.isEmpty() || first.isBefore(work.first().at())
                ? first
                : work.first().at();
    }

    public void clear() {
        timers.clear();
        work.clear();
    }

    public int size() {
        return timers.size() + work.size();
    }
}
