package io.floodgate.processor.topology;

import io.floodgate.topics.PartitionId;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;

/** The partitions that this process owns at the moment. */
final class OpenPartitions {
    private final Set<PartitionId> open = new ConcurrentSkipListSet<>();
    private final Set<PartitionId> known = new ConcurrentSkipListSet<>();

    void opened(PartitionId log) {
        open.add(log);
    }

    /** Returns whether this process has not been asked this about the partition before: it may come and go. */
    boolean isFirst(PartitionId log) {
        return known.add(log);
    }

    void closed(PartitionId log) {
        open.remove(log);
    }

    Set<PartitionId> all() {
        return Set.copyOf(open);
    }
}
