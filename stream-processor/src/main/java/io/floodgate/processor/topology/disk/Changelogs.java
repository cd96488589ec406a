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

        /** Whether it was made again, and has less than there was. */
        boolean isAnother(StorePosition position) {
            return !position.changelog().equals(topic) && end <= position.offset();
        }

        /** Whether nothing stands behind this position but the end of its transaction. */
        boolean endsAt(StorePosition position) {
            return continues(position) && end <= position.offset() + 2;
        }
    }

    /** Empty if there is no such topic. */
    Optional<Changelog> find(TopicPartition partition);
}
