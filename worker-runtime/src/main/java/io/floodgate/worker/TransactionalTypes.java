package io.floodgate.worker;

import io.floodgate.topics.client.Cluster;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The types of jobs with a transactional handler, and the settings of its producers. */
final class TransactionalTypes {
    private final Set<String> types = new TreeSet<>();
    private Map<String, Object> producer = Map.of();
    private @Nullable TransactionSlots slots;

    void add(String type) {
        types.add(type);
    }

    boolean contains(String type) {
        return types.contains(type);
    }

    void producer(Map<String, Object> properties) {
        producer = Map.copyOf(properties);
    }

    /** Uses these instead of those of a cluster. */
    void slots(TransactionSlots value) {
        slots = value;
    }

    /** @return null if there is no such type */
    @Nullable
    TransactionSlots open(@Nullable Cluster cluster, String node) {
        if (types.isEmpty() || slots != null) return slots;
        if (cluster == null)
            throw new IllegalStateException(
                    "the handler of '%s' is transactional: it needs a worker that is connected to a Kafka cluster"
                            .formatted(types.iterator().next()));
        return TransactionSlots.open(WorkerConnection.named(cluster, node), producer);
    }
}
