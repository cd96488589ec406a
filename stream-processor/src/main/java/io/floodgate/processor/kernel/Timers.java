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

    private static final long BYTES = 32;
    private static final long BYTES_OF_OTHERS = 140;

    /** Those of jobs and waiters apart: there may be millions, and an object for each would cost a hundred bytes. */
    private final SortedIds ofJobs = new SortedIds();

    private final SortedIds ofWaiters = new SortedIds();
    private final TreeSet<Timer> others = new TreeSet<>();
    /** Apart from all others: one slice of work is done before a record, whatever else is due. */
    private final TreeSet<Timer> work = new TreeSet<>();

    private final Undo undo;

    public Timers(Undo undo) {
        this.undo = undo;
    }

    public void set(Timer timer) {
        if (add(timer)) undo.by(() -> remove(timer));
    }

    public void cancel(Timer timer) {
        if (remove(timer)) undo.by(() -> add(timer));
    }

    private boolean add(Timer timer) {
        return switch (timer.kind()) {
            case JOB -> ofJobs.add(timer.at().toEpochMilli(), timer.high(), timer.low());
            case PARKED -> ofWaiters.add(timer.at().toEpochMilli(), timer.high(), timer.low());
            case WORK -> work.add(timer);
            default -> others.add(timer);
        };
    }

    private boolean remove(Timer timer) {
        return switch (timer.kind()) {
            case JOB -> ofJobs.remove(timer.at().toEpochMilli(), timer.high(), timer.low());
            case PARKED -> ofWaiters.remove(timer.at().toEpochMilli(), timer.high(), timer.low());
            case WORK -> work.remove(timer);
            default -> others.remove(timer);
        };
    }

    /** The earliest timer that is due; null when none is. */
    public @Nullable Timer due(Instant now) {
        Timer first = first();
        return first == null || first.at().isAfter(now) ? null : first;
    }

    private @Nullable Timer first() {
        Timer first = others.isEmpty() ? null : others.first();
        first = earlier(first, first(ofWaiters, Kind.PARKED));
        return earlier(first, first(ofJobs, Kind.JOB));
    }

    private static @Nullable Timer first(SortedIds timers, Kind kind) {
        JobId id = timers.first();
        return id == null
                ? null
                : new Timer(Instant.ofEpochMilli(timers.firstNumber()), kind, id.high(), id.low(), "");
    }

    private static @Nullable Timer earlier(@Nullable Timer a, @Nullable Timer b) {
        if (a == null) return b;
        return b == null || a.compareTo(b) <= 0 ? a : b;
    }

    /** The slice of work that is due and whose turn it is; null when there is none. */
    public @Nullable Timer dueWork(Instant now) {
        return work.isEmpty() || work.first().at().isAfter(now) ? null : work.first();
    }

    public @Nullable Instant next() {
        Timer first = earlier(first(), work.isEmpty() ? null : work.first());
        return first == null ? null : first.at();
    }

    public void clear() {
        ofJobs.clear();
        ofWaiters.clear();
        others.clear();
        work.clear();
    }

    /** What they take in memory: the same, wherever the log is opened. */
    public long bytes() {
        return (ofJobs.size() + ofWaiters.size()) * BYTES + (others.size() + work.size()) * BYTES_OF_OTHERS;
    }

    public int size() {
        return ofJobs.size() + ofWaiters.size() + others.size() + work.size();
    }
}
