package io.floodgate.bench.scenario;

import io.floodgate.topics.PartitionId;
import io.floodgate.topics.Routing;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Names of queues that belong to certain partitions. */
record PlacedNames(Routing routing) {
    PartitionId of(String queue) {
        return routing.ofQueue(queue);
    }

    /** Returns a name that begins like this and belongs to the partition. */
    String in(PartitionId partition, String start) {
        return first(start, partition::equals);
    }

    /** Returns two names that begin like this, of one partition or of two. */
    List<String> two(String start, boolean areApart) {
        PartitionId partition = of(start);
        return List.of(start, first(start, other -> areApart != partition.equals(other)));
    }

    private String first(String start, Predicate<PartitionId> fits) {
        return Stream.iterate(0, number -> number + 1)
                .map(number -> start + "-" + number)
                .filter(name -> fits.test(of(name)))
                .findFirst()
                .orElseThrow();
    }
}
