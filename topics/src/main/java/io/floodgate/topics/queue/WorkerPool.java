package io.floodgate.topics.queue;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.SequencedMap;

/**
 * How workers that name a pool share its queues (OJS fair scheduling §6).
 *
 * @param queues with their weights, in their order
 */
public record WorkerPool(String name, QueueSharing sharing, SequencedMap<String, Integer> queues) {
    public static final int MOST_QUEUES = 100;
    public static final int MOST_WEIGHT = 100;

    public WorkerPool {
        queues = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(queues));
    }
}
