package io.floodgate.processor.kernel;

import io.floodgate.processor.store.KeyValues;
import io.floodgate.processor.store.Stores;
import io.floodgate.topics.Routing;
import io.floodgate.topics.command.PartitionSettings;
import java.time.Instant;

/**
 * Services that all parts of a partition's state machine share.
 *
 * @param quarantine what rules have failed on
 * @param out what the step at hand causes
 */
public record PartitionContext(
        Stores stores,
        Routing routing,
        Timers timers,
        Work work,
        Quarantine quarantine,
        LogicVersion rules,
        Undo undo,
        Effects out) {
    public KeyValues entities() {
        return stores.entities();
    }

    public PartitionSettings settings() {
        return rules.settings();
    }

    public Instant now() {
        return out.now();
    }
}
