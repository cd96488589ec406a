package io.floodgate.processor.simulation;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The rate limits of the {@link Reference}: of a key, a number of jobs run at a time; as one ends, another begins. */
final class RefLimits {
    private static final Map<String, Long> MOST = new TreeMap<>(Map.of("one", 1L, "two", 2L, "none", 0L));

    static final List<String> KEYS = List.copyOf(MOST.keySet());

    private final Reference reference;
    /** Keys whose jobs have ended, or gone, in this step. */
    private final Set<String> released = new LinkedHashSet<>();

    private final Map<String, Long> running = new TreeMap<>();

    RefLimits(Reference reference) {
        this.reference = reference;
    }

    static long most(String key) {
        return MOST.getOrDefault(key, 0L);
    }

    private long running(String key) {
        return reference.jobs.stream()
                .filter(job -> job.is("active") && key.equals(job.wish.limitKey()))
                .count();
    }

    boolean letStart(RefJob job) {
        String key = job.wish.limitKey();
        return key == null || running(key) < most(key);
    }

    /** Queues with jobs that may have been held back until now. */
    List<String> takeReleased() {
        for (String key : KEYS) {
            long now = running(key);
            if (now < running.getOrDefault(key, 0L)) released.add(key);
            running.put(key, now);
        }
        List<String> queues = new ArrayList<>();
        for (RefJob job : reference.jobs)
            if (job.is("available") && released.contains(job.wish.limitKey()) && !queues.contains(job.queue))
                queues.add(job.queue);
        released.clear();
        return queues;
    }
}
