package io.floodgate.topics.client;

import io.floodgate.topics.PartitionId;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The most bytes that may be on their way to or from a partition at the same time. A partition takes records in order,
 * so all others would wait behind a large one: it waits here, and others come in between.
 */
final class ByteRoom {
    private record Waiting(long bytes, Runnable action) {}

    /** Sources take turns, so that one that asks a lot waits behind itself. */
    private static final class OfLog {
        /** The next source is the first. */
        private final Map<String, Deque<Waiting>> sources = new LinkedHashMap<>();

        private int waiting;
        private long underWay;

        private boolean add(String source, Waiting one, int max) {
            Deque<Waiting> own = sources.get(source);
            int ofSource = own == null ? 0 : own.size();
            boolean leavesRoom = source.equals(OURSELVES) || ofSource + 1 < max - waiting;
            if (waiting >= max || !leavesRoom) return false;
            sources.computeIfAbsent(source, s -> new ArrayDeque<>()).add(one);
            waiting++;
            return true;
        }

        private @Nullable Waiting peek() {
            return sources.isEmpty() ? null : sources.values().iterator().next().peek();
        }

        private void remove() {
            String source = sources.keySet().iterator().next();
            Deque<Waiting> own = Objects.requireNonNull(sources.remove(source));
            own.remove();
            waiting--;
            if (!own.isEmpty()) sources.put(source, own);
        }
    }

    /** Source of what this process asks for itself. */
    private static final String OURSELVES = "";

    private final long mostBytes;
    private final int mostWaiting;
    private final Executor executor;
    private final Map<PartitionId, OfLog> logs = new HashMap<>();

    /**
     * @param mostWaiting at each partition
     * @param executor of those that have waited
     */
    ByteRoom(long mostBytes, int mostWaiting, Executor executor) {
        this.mostBytes = mostBytes;
        this.mostWaiting = mostWaiting;
        this.executor = executor;
    }

    /**
     * Acts now, or when there is capacity. The action has to {@linkplain #end end}.
     *
     * @param source who it is for; null for this process itself
     * @return false if too many wait already
     */
    boolean take(PartitionId log, @Nullable String source, long bytes, Runnable action) {
        synchronized (this) {
            OfLog of = logs.computeIfAbsent(log, id -> new OfLog());
            if (of.waiting > 0 || !hasRoom(of, bytes))
                return of.add(source == null ? OURSELVES : source, new Waiting(bytes, action), mostWaiting);
            of.underWay += bytes;
        }
        action.run();
        return true;
    }

    /** One thing can always be done, however large it is. */
    private boolean hasRoom(OfLog of, long bytes) {
        return of.underWay == 0 || of.underWay + bytes <= mostBytes;
    }

    /** Returns how full the longest wait queue of a partition is, as a part of its bound. */
    synchronized double saturation() {
        int most = logs.values().stream().mapToInt(of -> of.waiting).max().orElse(0);
        return (double) most / mostWaiting;
    }

    synchronized void end(PartitionId log, long bytes) {
        OfLog of = logs.computeIfAbsent(log, id -> new OfLog());
        of.underWay -= bytes;
        for (Waiting next = of.peek(); next != null && hasRoom(of, next.bytes); next = of.peek()) {
            of.remove();
            of.underWay += next.bytes;
            executor.execute(next.action);
        }
    }
}
