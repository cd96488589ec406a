package io.floodgate.processor.topology.disk;

import java.util.Optional;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;

/** What the cluster says of changelogs. */
@FunctionalInterface
public interface Changelogs {
    /**
     * A changelog as it is now.
     *
     * @param topic its topic's id
     * @param begin the first offset that is there
     * @param end the offset after the last one
     */
    record Changelog(Uuid topic, long begin, long end) {
        /** Whether a store that stands at this position can be brought up to date by reading on. */
        boolean continues(StorePosition position) {
            return position.changelog().equals(topic) && position.offset() >= begin - 1 && position.offset() < end;
        }
    }

    /** Empty if there is no such topic. */
    Optional<Changelog> find(TopicPartition partition);
}
