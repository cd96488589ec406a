package io.floodgate.gateway.admin;

import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;

/** Counts of some minutes or hours, and the durations of runs, to a fifth or so. */
final class Interval {
    enum What {
        ENQUEUED,
        PROCESSED,
        FAILED
    }

    /**
     * Number of classes of durations, up to 1.2 to the power of 90 milliseconds: almost four hours; longer runs count
     * as that.
     */
    private static final int BUCKETS = 90;

    private static final double GROWTH = 1.2;

    private final long start;
    private final Map<What, Long> counts = new EnumMap<>(What.class);
    private int[] durations = {};

    Interval(long start) {
        this.start = start;
    }

    Instant start() {
        return Instant.ofEpochMilli(start);
    }

    long count(What what) {
        return counts.getOrDefault(what, 0L);
    }

    void count(What what, long millis) {
        counts.merge(what, 1L, Long::sum);
        if (what != What.PROCESSED) return;
        if (durations.length == 0) durations = new int[BUCKETS];
        durations[bucket(millis)]++;
    }

    void add(Interval other) {
        other.counts.forEach((what, count) -> counts.merge(what, count, Long::sum));
        if (other.durations.length == 0) return;
        if (durations.length == 0) durations = new int[BUCKETS];
        for (int i = 0; i < BUCKETS; i++) durations[i] += other.durations[i];
    }

    private static int bucket(long millis) {
        return millis <= 0 ? 0 : (int) Math.min(BUCKETS - 1, 1 + Math.log((double) millis) / Math.log(GROWTH));
    }

    /** Returns the longest duration of this part of all runs, in milliseconds; 0 if there were none. */
    long duration(double part) {
        long wanted = (long) Math.ceil(part * (double) count(What.PROCESSED));
        long seen = 0;
        for (int i = 0; i < durations.length; i++) {
            seen += durations[i];
            if (seen >= wanted && seen > 0) return i == 0 ? 0 : Math.round(Math.pow(GROWTH, i));
        }
        return 0;
    }
}
