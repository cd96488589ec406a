package io.floodgate.processor.topology.disk;

import org.apache.kafka.common.TopicPartition;

/** Writes what is in a store back to its changelog. */
public interface Refills {
    /** Result if nothing was written. */
    long NOTHING = -1;

    /** Refills that were not asked for. */
    Refills NONE = new Refills() {
        @Override
        public long refill(TopicPartition changelog, Entries entries) {
            return NOTHING;
        }

        @Override
        public boolean isAskedFor() {
            return false;
        }
    };

    /**
     * @param changelog which is empty
     * @return the offset of the last record, or {@link #NOTHING}
     */
    long refill(TopicPartition changelog, Entries entries);

    default boolean isAskedFor() {
        return true;
    }
}
