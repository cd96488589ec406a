package io.floodgate.gateway.door;

import io.floodgate.gateway.http.QueueLoad;
import io.floodgate.topics.command.Refusal;
import io.floodgate.topics.queue.Overflow;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One queue as this gateway knows it: the newest that was told of its room, by whichever way it came, and whether its log
 * refuses at present.
 */
final class Door {
    /** So long after a refusal of the log, others are refused without asking it. */
    static final Duration STANDS = Duration.ofMillis(250);

    /** Meanwhile one goes through so often. Others may free room, and this is how long that can stay unknown here. */
    static final Duration BETWEEN_QUESTIONS = Duration.ofMillis(50);

    private final AtomicReference<Known> known;
    private final AtomicLong askedAt = new AtomicLong();
    private volatile @Nullable Refused refused;
    private volatile @Nullable Told told;

    private final AtomicLong untold = new AtomicLong();
    private volatile String lastType = "";

    Door(Room room) {
        known = new AtomicReference<>(new Known(room));
    }

    /** What there is room for, less what was let through since that was told. */
    private static final class Known {
        private final Room room;
        private long jobs;
        private long bytes;

        Known(Room room) {
            this.room = room;
        }

        /** Lets it through, unless there is no room. */
        Dimension take(Demand demand) {
            if (room.over(demand, 0, 0) != Dimension.NONE) return room.over(demand, 0, 0);
            synchronized (this) {
                Dimension over = room.over(demand, jobs, bytes);
                if (over != Dimension.NONE) return over;
                jobs += demand.jobs();
                if (room.config().sizeBound() > 0) bytes += demand.bytes();
                return Dimension.NONE;
            }
        }
    }

    /** What the log has refused with, and when that was heard. */
    private static final class Refused {
        private final Refusal refusal;
        private final Room room;
        private final String dimension;
        private final long at;

        Refused(Refusal refusal, Room room, String dimension, long at) {
            this.refusal = refusal;
            this.room = room;
            this.dimension = dimension;
            this.at = at;
        }
    }

    /** What others are told, as long as nothing newer is known. */
    private record Told(Known known, Refused refused, Refusal refusal) {}

    void heard(Room room) {
        Known old = known.get();
        while (room.isNewerThan(old.room) && !known.compareAndSet(old, new Known(room))) old = known.get();
    }

    void refused(Refusal refusal, QueueLoad load, Room room, long now) {
        heard(room);
        // It may drop others at any time: what is refused now says nothing of what comes next.
        if (room.config().overflow() == Overflow.DROP_OLDEST) return;
        askedAt.set(now);
        refused = new Refused(refusal, room, load.text("dimension").orElse(""), now);
    }

    boolean refusesAt(long now) {
        Refused last = refused;
        return last != null && now - last.at <= STANDS.toNanos();
    }

    /** What the log would refuse it with; null if that is to be asked. */
    @Nullable
    Refusal refuse(Demand demand, long now) {
        Refused last = refused;
        Known newest = known.get();
        if (last == null || now - last.at > STANDS.toNanos()) return null;
        // Other bounds, other words.
        if (!newest.room.judgesLike(last.room)) return null;
        Dimension over = newest.take(demand);
        if (!over.is(last.dimension) || newest.room.canNeverTake(demand) || isQuestion(now)) return null;
        return told(newest, last);
    }

    private boolean isQuestion(long now) {
        long before = askedAt.get();
        return now - before >= BETWEEN_QUESTIONS.toNanos() && askedAt.compareAndSet(before, now);
    }

    private Refusal told(Known newest, Refused last) {
        Told before = told;
        if (before != null && before.known == newest && before.refused == last) return before.refusal;
        Refusal refusal = newest.room.putInto(last.refusal);
        told = new Told(newest, last, refusal);
        return refusal;
    }

    /** Jobs were refused here, of which the log does not know; true if there was nothing to tell it before. */
    boolean count(long jobs, String type) {
        lastType = type;
        return untold.getAndAdd(jobs) == 0;
    }

    long untold() {
        return untold.get();
    }

    /** What is told from now on. */
    long takeUntold() {
        return untold.getAndSet(0);
    }

    /** Of the job that was refused last. */
    String lastType() {
        return lastType;
    }
}
