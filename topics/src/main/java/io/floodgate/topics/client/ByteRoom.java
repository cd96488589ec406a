package io.floodgate.topics.client;

import io.floodgate.topics.LogId;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.Executor;

/**
 * So many bytes may be on their way to or from a log at the same time. A log takes things in their order, so whatever is
 * large would have everybody wait behind it: it waits here, and others come in between.
 */
final class ByteRoom {
    private record Waiting(long bytes, Runnable action) {}

    private static final class OfLog {
        private final Queue<Waiting> waiting = new ArrayDeque<>();
        private long underWay;
    }

    private final long mostBytes;
    private final int mostWaiting;
    private final Executor executor;
    private final Map<LogId, OfLog> logs = new HashMap<>();

    /**
     * @param mostWaiting at each log
     * @param executor of those that have waited
     */
    ByteRoom(long mostBytes, int mostWaiting, Executor executor) {
        this.mostBytes = mostBytes;
        this.mostWaiting = mostWaiting;
        this.executor = executor;
    }

    /**
     * Acts now, or when there is room. What was done has to {@linkplain #end end}.
     *
     * @return false if too many wait already
     */
    boolean take(LogId log, long bytes, Runnable action) {
        synchronized (this) {
            OfLog of = logs.computeIfAbsent(log, id -> new OfLog());
            if (!of.waiting.isEmpty() || !hasRoom(of, bytes))
                return of.waiting.size() < mostWaiting && of.waiting.add(new Waiting(bytes, action));
            of.underWay += bytes;
        }
        action.run();
        return true;
    }

    /** One thing can always be done, however large it is. */
    private boolean hasRoom(OfLog of, long bytes) {
        return of.underWay == 0 || of.underWay + bytes <= mostBytes;
    }

    /** At the log with most that wait, as a part of those that may. */
    synchronized double saturation() {
        int most =
                logs.values().stream().mapToInt(of -> of.waiting.size()).max().orElse(0);
        return (double) most / mostWaiting;
    }

    synchronized void end(LogId log, long bytes) {
        OfLog of = logs.computeIfAbsent(log, id -> new OfLog());
        of.underWay -= bytes;
        for (Waiting next = of.waiting.peek(); next != null && hasRoom(of, next.bytes); next = of.waiting.peek()) {
            of.waiting.remove();
            of.underWay += next.bytes;
            executor.execute(next.action);
        }
    }
}
