package io.floodgate.processor.kernel;

import io.floodgate.topics.JobId;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
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
        WORK
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

        /** @param turn among all slices of work: whoever has waited longest is next */
        public static Timer work(Instant at, long turn) {
            return new Timer(at, Kind.WORK, turn, 0, "");
        }

        /** What it is about, whenever it is due. */
        public String subject() {
            return "%s %d %d %s".formatted(kind, high, low, name);
        }

        /** A timer about this subject. */
        public static Timer about(Instant at, String subject) {
            String[] parts = subject.split(" ", 4);
            return new Timer(at, Kind.valueOf(parts[0]), Long.parseLong(parts[1]), Long.parseLong(parts[2]), parts[3]);
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

    public boolean has(Timer timer) {
        return of(timer).contains(timer);
    }

    /** Cancels every timer of this kind and name: for things of which it cannot be said when they are due. */
    public void cancelAll(Kind kind, String name) {
        List<Timer> found = timers.stream()
                .filter(timer -> timer.kind() == kind && timer.name().equals(name))
                .toList();
        found.forEach(this::cancel);
    }

    /** Cancels the timer about this subject, whenever it is due. */
    public void cancelAbout(String subject) {
        Timer like = Timer.about(Instant.EPOCH, subject);
        List<Timer> found = of(like).stream()
                .filter(timer -> timer.subject().equals(subject))
                .toList();
        found.forEach(this::cancel);
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
