package io.floodgate.processor.topology;

import io.floodgate.processor.partition.PartitionEngine;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The queues of a partition that have changed since their status was last published: each is published once a round.
 */
final class StatusBoard {
    private final PartitionEngine engine;
    private final Set<String> changed = new LinkedHashSet<>();

    StatusBoard(PartitionEngine engine) {
        this.engine = engine;
        // The last round before a crash may not have been committed: say everything again.
        changed.addAll(engine.queueNames());
    }

    void changed(Collection<String> queues) {
        changed.addAll(queues);
    }

    boolean isEmpty() {
        return changed.isEmpty();
    }

    /** A queue that is gone is published without a status, so that gateways stop showing it. */
    void publish(BiConsumer<String, byte @Nullable []> sink) {
        for (String queue : changed) sink.accept(queue, engine.status(queue).orElse(null));
        changed.clear();
    }
}
