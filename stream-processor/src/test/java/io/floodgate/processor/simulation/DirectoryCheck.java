package io.floodgate.processor.simulation;

import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.Keys;
import io.floodgate.processor.store.MemoryKeyValues;
import io.floodgate.topics.JobId;
import io.floodgate.topics.PartitionId;
import java.util.Map;
import java.util.TreeMap;

/** Every job that is not where its id says has an entry there that leads to it, and there are no others. */
final class DirectoryCheck {
    private DirectoryCheck() {}

    static void check(Cluster cluster, Map<JobId, PartitionId> places) {
        Map<JobId, PartitionId> entries = new TreeMap<>();
        for (PartitionId log : cluster.logs()) {
            MemoryKeyValues entities =
                    (MemoryKeyValues) cluster.owner(log).stores().entities();
            entities.entries().forEach((key, value) -> {
                if (Kind.of(key) != 'I') return;
                BinaryIn entry = new BinaryIn(value);
                entry.version(1, () -> "an entry of the directory");
                entries.put(Keys.jobAtEnd(key), cluster.routing.ofQueue(entry.text()));
            });
        }
        Map<JobId, PartitionId> wanted = new TreeMap<>(places);
        wanted.entrySet().removeIf(job -> cluster.routing.ofJob(job.getKey()).equals(job.getValue()));
        if (!entries.equals(wanted))
            throw new AssertionError("directory entries should be %s, but are %s".formatted(wanted, entries));
    }
}
