package io.floodgate.processor.simulation;

import io.floodgate.processor.store.MemoryKeyValues;
import io.floodgate.processor.store.Stores;
import io.floodgate.topics.PartitionId;
import java.util.Map;
import java.util.TreeMap;

/** Nothing stays behind: no message unsent, no batch unsettled, no waiter, no trace of a job that is gone. */
final class Leftovers {
    /** Outbox, batches, commands of those that can wait, what is reserved for them, waiters, producers, queues to be served or looked at again, what was quarantined, room for jobs that are to come, by a move or in parts. */
    private static final String TRANSIENT = "OBMHKEUZYmk";
    /** Queues, what was decided about them, when they were fetched from and when they ended, where the partition stands, and the numbers and digests of messages stay; all else ends some day. */
    private static final String KEPT = "QFNhjCRSG";

    private Leftovers() {}

    static void check(PartitionId log, Stores stores) {
        count(stores.entities()).forEach((kind, count) -> {
            if (TRANSIENT.indexOf(kind) >= 0)
                throw new AssertionError("log %s still has %d entries of kind %s".formatted(log, count, kind));
        });
    }

    static void checkNothingOfJobs(PartitionId log, Stores stores) {
        Map<Character, Integer> left = count(stores.payloads());
        left.putAll(count(stores.jobs()));
        count(stores.entities()).forEach((kind, count) -> {
            if (KEPT.indexOf(kind) < 0) left.put(kind, count);
        });
        if (!left.isEmpty()) throw new AssertionError("log %s is left with %s".formatted(log, left));
    }

    private static Map<Character, Integer> count(Object keyValues) {
        Map<Character, Integer> counts = new TreeMap<>();
        for (byte[] key : ((MemoryKeyValues) keyValues).entries().keySet()) counts.merge(Kind.of(key), 1, Integer::sum);
        return counts;
    }
}
