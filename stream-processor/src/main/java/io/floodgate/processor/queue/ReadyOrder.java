package io.floodgate.processor.queue;

import io.floodgate.topics.JobId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The available jobs of a queue: higher priority first, equal priority in the order of their places. */
final class ReadyOrder {
    private final TreeMap<Integer, Ring> rings = new TreeMap<>(Collections.reverseOrder());

    void add(int priority, long place, JobId job) {
        rings.computeIfAbsent(priority, p -> new Ring()).add(place, job);
    }

    void remove(int priority, long place) {
        Ring ring = rings.get(priority);
        if (ring != null && ring.remove(place) && ring.size() == 0) rings.remove(priority);
    }

    @Nullable
    JobId first() {
        Map.Entry<Integer, Ring> highest = rings.firstEntry();
        return highest == null ? null : highest.getValue().first();
    }

    /** The first of each priority: one of them has waited longest. */
    List<JobId> heads() {
        List<JobId> heads = new ArrayList<>();
        for (Ring ring : rings.values()) {
            JobId first = ring.first();
            if (first != null) heads.add(first);
        }
        return heads;
    }

    boolean isEmpty() {
        return rings.isEmpty();
    }

    int size() {
        return rings.values().stream().mapToInt(Ring::size).sum();
    }
}
