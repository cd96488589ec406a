package io.floodgate.topics.client;

import io.floodgate.topics.LogId;
import java.util.HashMap;
import java.util.Map;

/**
 * Room that logs share. None may take more of it than would be left for all others: one log that gives nothing back comes
 * to hold half of the room, two hold a third each, and there is always some for a log that is well.
 */
final class Budget {
    static final long UNLIMITED = Long.MAX_VALUE / 2;

    private final long total;
    private final long perLog;
    private final Map<LogId, Long> taken = new HashMap<>();
    private long takenByAll;

    private Budget(long total, long perLog) {
        this.total = total;
        this.perLog = perLog;
    }

    static Budget shared(long total) {
        return new Budget(total, total);
    }

    static Budget perLog(long most) {
        return new Budget(UNLIMITED, most);
    }

    static Budget unlimited() {
        return new Budget(UNLIMITED, UNLIMITED);
    }

    synchronized boolean take(LogId log, long amount) {
        long own = taken(log) + amount;
        long left = total - takenByAll - amount;
        if (own > perLog || own > left) return false;
        taken.put(log, own);
        takenByAll += amount;
        return true;
    }

    synchronized void giveBack(LogId log, long amount) {
        long own = taken(log) - amount;
        if (own == 0) taken.remove(log);
        else taken.put(log, own);
        takenByAll -= amount;
    }

    synchronized double saturation() {
        return (double) takenByAll / total;
    }

    synchronized long taken(LogId log) {
        return taken.getOrDefault(log, 0L);
    }
}
