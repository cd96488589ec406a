package io.floodgate.gateway.system;

import io.floodgate.topics.PartitionId;
import org.jspecify.annotations.Nullable;

/** Finds the processor that owns a partition, for operators who look after one that does not answer. */
@FunctionalInterface
public interface PartitionOwners {
    PartitionOwners UNKNOWN = partition -> null;

    /**
     * A processor.
     *
     * @param processor its name in the group, which a restart keeps
     * @param host from where it connects, as brokers see it
     */
    record Owner(String processor, String host) {
        @Override
        public String toString() {
            return "%s at %s".formatted(processor, host);
        }
    }

    /** Null if none has it now, or it cannot be found out. */
    @Nullable
    Owner of(PartitionId partition);
}
