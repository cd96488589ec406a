package io.floodgate.topics.client;

import io.floodgate.topics.PartitionId;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Estimates the size of a partition's answers by those it gave lately. */
final class AnswerSizes {
    /** Estimate before the first answer. */
    private static final double EXPECTED_BYTES = 64 * 1024;

    private static final double FORGETTING = 0.1;

    private final Map<PartitionId, Double> lately = new ConcurrentHashMap<>();

    long of(PartitionId log) {
        return Math.max(1, Math.round(lately.getOrDefault(log, EXPECTED_BYTES)));
    }

    /** Takes the size of an answer: the estimate grows to it at once, and shrinks slowly. */
    void heard(PartitionId log, int bytes) {
        lately.merge(
                log,
                Math.max(bytes, EXPECTED_BYTES + FORGETTING * (bytes - EXPECTED_BYTES)),
                (before, first) -> Math.max(bytes, before + FORGETTING * (bytes - before)));
    }
}
