package io.floodgate.topics.client;

import io.floodgate.topics.PartitionId;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** How large the answers of a partition are to be expected, going by those it gave lately. */
final class AnswerSizes {
    /** Before there was any. */
    private static final double EXPECTED_BYTES = 64 * 1024;

    private static final double FORGETTING = 0.1;

    private final Map<PartitionId, Double> lately = new ConcurrentHashMap<>();

    long of(PartitionId log) {
        return Math.max(1, Math.round(lately.getOrDefault(log, EXPECTED_BYTES)));
    }

    /** At once as large as the last one, and only slowly smaller. */
    void heard(PartitionId log, int bytes) {
        lately.merge(
                log,
                Math.max(bytes, EXPECTED_BYTES + FORGETTING * (bytes - EXPECTED_BYTES)),
                (before, first) -> Math.max(bytes, before + FORGETTING * (bytes - before)));
    }
}
