package io.floodgate.processor.simulation;

import io.floodgate.topics.PartitionId;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** The clocks of the machines that partitions are on: they may be set, each for itself. */
final class Clocks {
    private final Agenda agenda;
    private final Map<PartitionId, Long> ahead = new TreeMap<>();
    private final TreeSet<Long> set = new TreeSet<>();
    private long mostAhead;
    private long mostBehind;

    /** All of them are right all the time. */
    boolean exact;

    Clocks(Agenda agenda) {
        this.agenda = agenda;
    }

    long of(PartitionId log) {
        return agenda.now() + ahead(log);
    }

    /** When it will really be that time. */
    long whenIs(PartitionId log, long time) {
        return time - ahead(log);
    }

    void step(PartitionId log, long millis) {
        if (exact) return;
        set.add(agenda.now());
        long now = ahead(log) + millis;
        ahead.put(log, now);
        mostAhead = Math.max(mostAhead, now);
        mostBehind = Math.min(mostBehind, now);
    }

    /** Whether one was set in this span of true time. */
    boolean wereSet(long from, long to) {
        Long first = set.ceiling(from);
        return first != null && first <= to;
    }

    /** How far apart clocks have been at most, those of different times among them. */
    long apart() {
        return mostAhead - mostBehind;
    }

    private long ahead(PartitionId log) {
        return ahead.getOrDefault(log, 0L);
    }
}
