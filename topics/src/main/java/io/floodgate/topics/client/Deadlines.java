package io.floodgate.topics.client;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * Numbers with deadlines, in nanoseconds, of which very many come and go and few are ever due. They are kept by slices of
 * time: looking for what is due touches nothing else, and a deadline is up to one slice late.
 */
final class Deadlines {
    static final long SLICE = TimeUnit.MILLISECONDS.toNanos(10);

    private final TreeMap<Long, Set<Long>> bySlice = new TreeMap<>();

    /** Adds a deadline. Returns when to look for it. */
    synchronized long add(long number, long deadline) {
        long end = endOfSlice(deadline);
        bySlice.computeIfAbsent(end, slice -> new HashSet<>()).add(number);
        return end;
    }

    synchronized void remove(long number, long deadline) {
        bySlice.computeIfPresent(endOfSlice(deadline), (end, numbers) -> {
            numbers.remove(number);
            return numbers.isEmpty() ? null : numbers;
        });
    }

    /** Takes out what is due. */
    synchronized List<Long> due(long now) {
        List<Long> due = new ArrayList<>();
        Map<Long, Set<Long>> over = bySlice.headMap(now, true);
        over.values().forEach(due::addAll);
        over.clear();
        return due;
    }

    /** Returns when the next deadlines are due. */
    synchronized long next() {
        return bySlice.isEmpty() ? DeadlineTimer.NEVER : bySlice.firstKey();
    }

    private static long endOfSlice(long deadline) {
        return (deadline / SLICE + 1) * SLICE;
    }
}
