package io.floodgate.topics.client;

import io.floodgate.topics.LogId;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.Executor;

/**
 * How many questions about stored things a log is asked at the same time: as many as have answers of so many bytes together,
 * going by the answers it gave lately. A log answers in the order it is asked, so whoever wants many large jobs would have
 * everybody wait behind them: so they wait here, for each other.
 */
final class ReadRoom {
    /** Of an answer, before there was any. */
    private static final double EXPECTED_BYTES = 64 * 1024;

    private static final double FORGETTING = 0.1;

    private static final class OfLog {
        private final Queue<Runnable> waiting = new ArrayDeque<>();
        private int underWay;
        /** Of an answer: at once as large as the last one, and only slowly smaller. */
        private double bytes = EXPECTED_BYTES;
    }

    private final long mostBytes;
    private final int mostWaiting;
    private final Executor executor;
    private final Map<LogId, OfLog> logs = new HashMap<>();

    /**
     * @param mostWaiting at each log
     * @param executor asks those that have waited
     */
    ReadRoom(long mostBytes, int mostWaiting, Executor executor) {
        this.mostBytes = mostBytes;
        this.mostWaiting = mostWaiting;
        this.executor = executor;
    }

    /**
     * Asks now, or when there is room. Each question that was asked has to be {@linkplain #answered answered}.
     *
     * @return false if too many wait already
     */
    boolean ask(LogId log, Runnable question) {
        synchronized (this) {
            OfLog of = logs.computeIfAbsent(log, id -> new OfLog());
            if (!of.waiting.isEmpty() || !hasRoom(of))
                return of.waiting.size() < mostWaiting && of.waiting.add(question);
            of.underWay++;
        }
        question.run();
        return true;
    }

    /** One question can always be asked, however large its answer will be. */
    private boolean hasRoom(OfLog of) {
        return of.underWay == 0 || (of.underWay + 1) * of.bytes <= mostBytes;
    }

    /** @param bytes of the answer; negative if there was none */
    synchronized void answered(LogId log, int bytes) {
        OfLog of = logs.computeIfAbsent(log, id -> new OfLog());
        of.underWay--;
        if (bytes >= 0) of.bytes = Math.max(bytes, of.bytes + FORGETTING * (bytes - of.bytes));
        while (!of.waiting.isEmpty() && hasRoom(of)) {
            of.underWay++;
            executor.execute(of.waiting.remove());
        }
    }
}
