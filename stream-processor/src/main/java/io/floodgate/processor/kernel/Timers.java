package io.floodgate.processor.kernel;

import io.floodgate.topics.JobId;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The timers of a partition, in an order that does not depend on how they were set. Kept in memory: every timer follows
 * from stored state, and is set again when a partition is opened.
 */
public final class Timers {
    /** Kinds of timers. Their order decides between timers of the same millisecond. */
    public enum Kind {
        JOB,
        PARKED,
        WORKER,
        STRANGER,
        HOUSEKEEPING,
        BATCH,
        WORK,
        QUEUE,
        LIMIT,
        PERMITS,
        EXPIRY,
        REJECTIONS,
        MOVE,
        /** Timer of an entity that has no kind of its own. */
        ENTITY,
        KEY,
        SCHEDULE
    }

    /** A time at which a thing is looked at. {@code high} and {@code low} are a job's id or a parked fetch's number. */
    public record Timer(Instant at, Kind kind, long high, long low, String name) implements Comparable<Timer> {
        public static Timer job(Instant at, JobId job) {
            return new Timer(at, Kind.JOB, job.high(), job.low(), "");
        }

        public static Timer parked(Instant at, long number) {
            return new Timer(at, Kind.PARKED, number, 0, "");
        }

        public static Timer worker(Instant at, String worker) {
            return new Timer(at, Kind.WORKER, 0, 0, worker);
        }

        /** @see #strangers */
        public static Timer stranger(Instant at, String worker) {
            return new Timer(at, Kind.STRANGER, 0, 0, worker);
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

        /** A limit whose key leads to this log. */
        public static Timer limit(Instant at, String key) {
            return new Timer(at, Kind.LIMIT, 0, 0, key);
        }

        /** Returns the timer of a permit account. */
        public static Timer permits(Instant at, String key) {
            return new Timer(at, Kind.PERMITS, 0, 0, key);
        }

        /** Permits of this key that have begun no job by then go back. */
        public static Timer expiry(Instant at, String key) {
            return new Timer(at, Kind.EXPIRY, 0, 0, key);
        }

        /** Returns the timer of rejections of this queue that are to be reported. */
        public static Timer rejections(Instant at, String queue) {
            return new Timer(at, Kind.REJECTIONS, 0, 0, queue);
        }

        /** The target of a queue's move has had time enough to answer. */
        public static Timer move(Instant at, String queue) {
            return new Timer(at, Kind.MOVE, 0, 0, queue);
        }

        /**
         * A timer of an entity that has no kind of its own.
         *
         * @param entity a word that no other entity uses
         * @param name tells the timers of the entity apart
         */
        public static Timer of(String entity, Instant at, String name) {
            return new Timer(at, Kind.ENTITY, 0, 0, entity + ' ' + name);
        }

        /** The name of a timer of this entity; null for the timer of another one. */
        public @Nullable String nameFor(String entity) {
            return kind == Kind.ENTITY && name.startsWith(entity + ' ') ? name.substring(entity.length() + 1) : null;
        }

        /**
         * Returns the timer of a claim of keys that waits for the outcome; without a name, that of keys of ended jobs
         * that are to be forgotten.
         */
        public static Timer key(Instant at, String claim) {
            return new Timer(at, Kind.KEY, 0, 0, claim);
        }

        /** @param turn among all slices of work: the one that has waited longest is next */
        public static Timer work(Instant at, long turn) {
            return new Timer(at, Kind.WORK, turn, 0, "");
        }

        /** @see #dueSchedule */
        public static Timer schedule(Instant at, String name) {
            return new Timer(at, Kind.SCHEDULE, 0, 0, name);
        }

        /** Returns what the timer is about, whenever it is due. */
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
            int order = at.compareTo(other.at);
            if (order == 0) order = kind.compareTo(other.kind);
            if (order == 0) order = Long.compareUnsigned(high, other.high);
            if (order == 0) order = Long.compareUnsigned(low, other.low);
            return order == 0 ? name.compareTo(other.name) : order;
        }
    }

    private static final long BYTES = 32;
    private static final long BYTES_OF_OTHERS = 140;

    /**
     * Timers of jobs, kept apart like those of waiters: there may be millions, and an object for each would cost a
     * hundred bytes.
     */
    private final SortedIds ofJobs = new SortedIds();

    private final SortedIds ofWaiters = new SortedIds();
    private final TreeSet<Timer> others = new TreeSet<>();
    /** Apart from all others: one slice of work is done before a record, whatever else is due. */
    private final TreeSet<Timer> work = new TreeSet<>();

    /** Apart as well: thousands are due in the same second, and only a few of them fire before what comes next. */
    private final TreeSet<Timer> schedules = new TreeSet<>();

    /** Workers that are to be forgotten, the first to go first: a client can invent a million of them. */
    private final TreeSet<Timer> strangers = new TreeSet<>();

    /** Timers of workers from which a sign of life is due. */
    private final TreeSet<Timer> workers = new TreeSet<>();

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

    private @Nullable SortedIds ids(Kind kind) {
        return switch (kind) {
            case JOB -> ofJobs;
            case PARKED -> ofWaiters;
            default -> null;
        };
    }

    private Set<Timer> objects(Kind kind) {
        return switch (kind) {
            case WORK -> work;
            case SCHEDULE -> schedules;
            case STRANGER -> strangers;
            case WORKER -> workers;
            default -> others;
        };
    }

    private boolean add(Timer timer) {
        SortedIds ids = ids(timer.kind());
        return ids == null
                ? objects(timer.kind()).add(timer)
                : ids.add(timer.at().toEpochMilli(), timer.high(), timer.low());
    }

    private boolean remove(Timer timer) {
        SortedIds ids = ids(timer.kind());
        return ids == null
                ? objects(timer.kind()).remove(timer)
                : ids.remove(timer.at().toEpochMilli(), timer.high(), timer.low());
    }

    /** Cancels every timer of this kind and name: for things of which it cannot be said when they are due. */
    public void cancelAll(Kind kind, String name) {
        List<Timer> found = objects(kind).stream()
                .filter(timer -> timer.kind() == kind && timer.name().equals(name))
                .toList();
        found.forEach(this::cancel);
    }

    /** Cancels the timer about this subject, whenever it is due: a search through all of its kind. */
    public void cancelAbout(String subject) {
        Timer like = Timer.about(Instant.EPOCH, subject);
        SortedIds ids = ids(like.kind());
        if (ids == null) {
            List<Timer> found = objects(like.kind()).stream()
                    .filter(timer -> timer.subject().equals(subject))
                    .toList();
            found.forEach(this::cancel);
        } else {
            Long at = ids.numberOf(like.job());
            if (at != null)
                cancel(new Timer(Instant.ofEpochMilli(at), like.kind(), like.high(), like.low(), like.name()));
        }
    }

    /** The earliest timer that is due, of all but work and schedules; null when none is. */
    public @Nullable Timer due(Instant now) {
        Timer first = first();
        return first == null || first.at().isAfter(now) ? null : first;
    }

    /** The slice of work that is due and whose turn it is; null when there is none. */
    public @Nullable Timer dueWork(Instant now) {
        return due(work, now);
    }

    /** The schedule that is due and has waited longest; null when there is none. */
    public @Nullable Timer dueSchedule(Instant now) {
        return due(schedules, now);
    }

    private static @Nullable Timer due(SortedSet<Timer> timers, Instant now) {
        return timers.isEmpty() || timers.first().at().isAfter(now) ? null : timers.first();
    }

    /** Returns whether the timer is the next one of its kind. */
    public boolean isDue(Timer timer, Instant now) {
        return timer.equals(
                switch (timer.kind()) {
                    case WORK -> dueWork(now);
                    case SCHEDULE -> dueSchedule(now);
                    default -> due(now);
                });
    }

    public @Nullable Instant next() {
        Timer first = earlier(first(), work.isEmpty() ? null : work.first());
        first = earlier(first, schedules.isEmpty() ? null : schedules.first());
        return first == null ? null : first.at();
    }

    private @Nullable Timer first() {
        Timer first = others.isEmpty() ? null : others.first();
        first = earlier(first, strangers.isEmpty() ? null : strangers.first());
        first = earlier(first, workers.isEmpty() ? null : workers.first());
        first = earlier(first, first(ofWaiters, Kind.PARKED));
        return earlier(first, first(ofJobs, Kind.JOB));
    }

    private static @Nullable Timer first(SortedIds ids, Kind kind) {
        JobId id = ids.first();
        return id == null ? null : new Timer(Instant.ofEpochMilli(ids.firstNumber()), kind, id.high(), id.low(), "");
    }

    /** The first to be forgotten, if there are more of them than this; else null. */
    public @Nullable Timer strangerBeyond(int most) {
        return strangers.size() > most ? strangers.first() : null;
    }

    private static @Nullable Timer earlier(@Nullable Timer a, @Nullable Timer b) {
        if (a == null) return b;
        return b == null || a.compareTo(b) <= 0 ? a : b;
    }

    public void clear() {
        ofJobs.clear();
        ofWaiters.clear();
        others.clear();
        work.clear();
        schedules.clear();
        strangers.clear();
        workers.clear();
    }

    /** Returns the number of workers that send heartbeats. */
    public int workers() {
        return workers.size();
    }

    private int objects() {
        return others.size() + work.size() + schedules.size() + strangers.size() + workers.size();
    }

    /** Returns the memory of all timers: the same wherever the partition is opened. */
    public long bytes() {
        return (ofJobs.size() + ofWaiters.size()) * BYTES + objects() * BYTES_OF_OTHERS;
    }
}
