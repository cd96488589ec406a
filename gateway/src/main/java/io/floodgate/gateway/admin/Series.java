package io.floodgate.gateway.admin;

import java.time.Duration;
import java.time.Instant;
import java.util.TreeMap;

/** The latest intervals of one length in which something happened. */
final class Series {
    private final long step;
    private final int most;
    private final TreeMap<Long, Interval> byStart = new TreeMap<>();

    Series(Duration length, int most) {
        step = length.toMillis();
        this.most = most;
    }

    Interval at(Instant time) {
        long start = Math.floorDiv(time.toEpochMilli(), step) * step;
        Interval interval = byStart.computeIfAbsent(start, Interval::new);
        while (byStart.firstKey() <= start - most * step || byStart.size() > most) byStart.pollFirstEntry();
        return interval;
    }

    void addTo(Interval sum, long from, long to) {
        byStart.subMap(from, to).values().forEach(sum::add);
    }

    void clear() {
        byStart.clear();
    }
}
