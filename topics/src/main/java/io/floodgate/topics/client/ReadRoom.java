package io.floodgate.topics.client;

import io.floodgate.topics.LogId;
import java.util.HashMap;
import java.util.Map;

/**
 * How many questions about stored things a log may be asked at the same time: as many as have answers of so many bytes
 * together, going by the answers it gave lately. A log answers in the order it is asked, so whoever wants many large jobs
 * would have everybody wait behind them.
 */
final class ReadRoom {
    private static final double FORGETTING = 0.1;

    private static final class OfLog {
        private int underWay;
        /** Of an answer: at once as large as the last one, and only slowly smaller. */
        private double bytes;
    }

    private final long most;
    private final Map<LogId, OfLog> logs = new HashMap<>();

    ReadRoom(long most) {
        this.most = most;
    }

    /** One question can always be asked, however large its answer will be. */
    synchronized boolean take(LogId log) {
        OfLog of = logs.computeIfAbsent(log, id -> new OfLog());
        if (of.underWay > 0 && (of.underWay + 1) * of.bytes > most) return false;
        of.underWay++;
        return true;
    }

    /** @param bytes of the answer; negative if there was none */
    synchronized void giveBack(LogId log, int bytes) {
        OfLog of = logs.computeIfAbsent(log, id -> new OfLog());
        of.underWay--;
        if (bytes >= 0) of.bytes = Math.max(bytes, of.bytes + FORGETTING * (bytes - of.bytes));
    }
}
