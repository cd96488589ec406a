package io.floodgate.processor.topology.disk;

import java.util.Optional;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;

/** Answers of the cluster about changelogs. */
@FunctionalInterface
public interface Changelogs {
    /**
     * A changelog as it is now.
     *
     * @param topic its topic's id
     * @param begin the first offset that is there
     * @param end the offset after the last one
     * @param copies of it that brokers have: only one of several can be behind the others
     */
    record Changelog(Uuid topic, long begin, long end, int copies) {
        /** Returns whether a store at this position can be brought up to date by reading on. */
        boolean continues(StorePosition position) {
            return position.changelog().equals(topic) && position.offset() >= begin - 1 && position.offset() < end;
        }

        /** Returns whether it was made again, and has less than there was. */
        boolean isAnother(StorePosition position) {
            return !position.changelog().equals(topic) && end <= position.offset();
        }

        /** Returns whether nothing is behind this position but the end of its transaction. */
        boolean endsAt(StorePosition position) {
            return continues(position) && end <= position.offset() + 2;
        }
    }

    /** Empty if there is no such topic. It may be as the changelog was a moment ago. */
    Optional<Changelog> find(TopicPartition partition);

    /** Returns the changelog as it is now. */
    default Optional<Changelog> findNow(TopicPartition partition) {
        return find(partition);
    }

    /**
     * Returns the changelog for a store that is opened.
     *
     * @param position where it stands, which may be what was written in that moment
     */
    default Optional<Changelog> find(TopicPartition partition, @Nullable StorePosition position) {
        Optional<Changelog> found = find(partition);
        boolean goesOn = position == null
                || found.map(changelog -> changelog.continues(position)).orElse(false);
        return goesOn ? found : findNow(partition);
    }
}
