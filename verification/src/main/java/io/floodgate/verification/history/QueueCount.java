package io.floodgate.verification.history;

import io.floodgate.verification.history.QueueEvent.Configured;
import io.floodgate.verification.history.QueueEvent.Deleted;
import io.floodgate.verification.history.QueueEvent.Dropped;
import io.floodgate.verification.history.QueueEvent.JobMoved;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** A queue as its events tell it, one after the other, counted without trusting any figure of the queue's own. */
final class QueueCount {
    static final String BLOCK = "block";
    private static final String REJECT = "reject";
    private static final String DROP_OLDEST = "drop_oldest";

    /** @param rank the place of the job among the available ones of its priority */
    record Standing(String job, String state, long bytes, long rank) {
        boolean isAvailable() {
            return state.equals("available");
        }

        /** Also when it is given back, or lost by who had it. */
        boolean keepsPlace() {
            return isAvailable() || state.equals("active");
        }
    }

    /** One of the two figures that can be bounded. */
    static final class Figure {
        private long count;
        private long bound;
        private long allowed = Long.MAX_VALUE;
        private boolean isSwapped;

        long count() {
            return count;
        }

        /** Zero for none. */
        long bound() {
            return bound;
        }

        boolean isExceeded() {
            return count > allowed;
        }

        private void add(long more) {
            count += more;
        }

        private void clear() {
            count = 0;
            bound(0, 0, REJECT);
        }

        private void remove(long less) {
            count -= less;
            if (bound > 0 && !isSwapped) allowed = Math.max(bound, allowed - less);
        }

        /**
         * What is there stays when the bound is lowered, and what was reserved comes in; but nothing comes again, unless others
         * go for it.
         */
        private void bound(long decided, long there, String strategy) {
            bound = decided;
            isSwapped = strategy.equals(DROP_OLDEST);
            allowed = decided == 0 ? Long.MAX_VALUE : Math.max(decided, there);
        }
    }

    private final Map<String, Standing> live = new LinkedHashMap<>();
    private final Map<String, Standing> ended = new HashMap<>();
    private final Figure depth = new Figure();
    private final Figure bytes = new Figure();
    private final ToLongFunction<String> unknownSizes;
    private String strategy = REJECT;
    private long ranks;

    /** A job whose event does not say how large it is counts as nothing. */
    QueueCount() {
        this(job -> 0);
    }

    /** @param unknownSizes what to count for a job that came while the queue had no bounds: its event does not say */
    QueueCount(ToLongFunction<String> unknownSizes) {
        this.unknownSizes = unknownSizes;
    }

    Figure depth() {
        return depth;
    }

    Figure bytes() {
        return bytes;
    }

    String strategy() {
        return strategy;
    }

    Collection<Standing> live() {
        return live.values();
    }

    /** How the job stood just before it ended. */
    @Nullable
    Standing beforeTheEnd(String job) {
        return ended.get(job);
    }

    /** Whether a job has come in by it. */
    boolean apply(QueueEvent event) {
        switch (event) {
            case Configured c -> {
                depth.bound(c.maxDepth(), c.depth(), c.strategy());
                bytes.bound(c.maxBytes(), c.bytes(), c.strategy());
                strategy = c.strategy();
                return false;
            }
            case Dropped d -> {
                return false;
            }
            case Deleted d -> {
                live.clear();
                depth.clear();
                bytes.clear();
                strategy = REJECT;
                return false;
            }
            case JobMoved moved -> {
                return move(moved);
            }
        }
    }

    private boolean move(JobMoved moved) {
        Standing before = live.get(moved.job());
        if (moved.isLive()) {
            Standing after = standing(moved, before);
            live.put(moved.job(), after);
            if (before != null) return false;
            depth.add(1);
            bytes.add(after.bytes);
            return true;
        }
        if (before != null) {
            live.remove(moved.job());
            ended.put(moved.job(), before);
            depth.remove(1);
            bytes.remove(before.bytes);
        }
        return false;
    }

    private long size(JobMoved moved) {
        Long told = moved.bytes();
        return told == null ? unknownSizes.applyAsLong(moved.job()) : told;
    }

    private Standing standing(JobMoved moved, @Nullable Standing before) {
        Standing known = before == null ? ended.get(moved.job()) : before;
        long size = known == null ? size(moved) : known.bytes;
        return new Standing(
                moved.job(), moved.state(), size, before != null && before.keepsPlace() ? before.rank : ++ranks);
    }
}
