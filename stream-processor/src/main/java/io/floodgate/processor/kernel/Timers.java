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
        HOUSEKEEPING
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

        public JobId job() {
            return new JobId(high, low);
        }

        @Override
        public int compareTo(Timer other) {
            return ORDER.compare(this, other);
        }
    }

    private final TreeSet<Timer> timers = new TreeSet<>();

    public void set(Timer timer) {
        timers.add(timer);
    }

    public void cancel(Timer timer) {
        timers.remove(timer);
    }

    /** The earliest timer that is due; null when none is. */
    public @Nullable Timer due(Instant now) {
        if (timers.isEmpty() || timers.first().at().isAfter(now)) return null;
        return timers.first();
    }

    public @Nullable Instant next() {
        return timers.isEmpty() ? null : timers.first().at();
    }

    public void clear() {
        timers.clear();
    }

    public int size() {
        return timers.size();
    }
}
