package io.floodgate.processor.topology;

import io.floodgate.processor.store.Stores;
import io.floodgate.processor.topology.disk.CommittedStore;
import io.floodgate.processor.topology.disk.CommittedStores;
import io.floodgate.topics.Namespace;
import io.floodgate.topics.Topics;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.state.StoreBuilder;

/**
 * The whole topology.
 *
 * <pre>
 *   ojs.commands  ──▶  log processor  ──▶  ojs.events          in the transaction
 *                       │  │         ──▶  ojs.queue-status    in the transaction
 *                       │  └─ payloads, jobs, entities (stores with changelogs)
 *                       └──▶  ojs.replies, messages, ticks     at once, by the plain producer
 * </pre>
 *
 * The log topics must only ever be written outside of transactions: an open one would hold back every command behind it.
 */
final class PartitionTopology {
    static final String EVENTS = "events";
    static final String STATUS = "queue-status";

    private static final String LOGS = "logs";
    private static final String PROCESSOR = "log-processor";
    private static final String PAYLOADS = "payloads";
    private static final String JOBS = "jobs";
    private static final String ENTITIES = "entities";

    /** Names of the stores of each partition. */
    static final List<String> STORES = List.of(PAYLOADS, JOBS, ENTITIES);

    /** Small segments and early cleaning: what a restart has to read back is bounded by what is alive. */
    private static final Map<String, String> CHANGELOG = Map.of(
            "segment.bytes",
            Integer.toString(32 * 1024 * 1024),
            "min.cleanable.dirty.ratio",
            "0.2",
            "delete.retention.ms",
            Long.toString(CommittedStores.DELETIONS_REMEMBERED.toMillis()),
            "max.message.bytes",
            Integer.toString(Topics.MAX_RECORD_BYTES));

    private PartitionTopology() {}

    static Topology build(Edge edge, CommittedStores stores, Namespace namespace) {
        return build(() -> new PartitionProcessor(edge), stores, namespace);
    }

    /** @param processors a new one each time */
    static Topology build(
            Supplier<Processor<String, byte[], String, byte[]>> processors,
            CommittedStores stores,
            Namespace namespace) {
        return new Topology()
                .addSource(LOGS, new StringDeserializer(), new ByteArrayDeserializer(), namespace.of(Topics.COMMANDS))
                .addProcessor(PROCESSOR, supplier(processors, stores), LOGS)
                .addSink(
                        EVENTS,
                        namespace.of(Topics.EVENTS),
                        new StringSerializer(),
                        new ByteArraySerializer(),
                        PROCESSOR)
                .addSink(
                        STATUS,
                        namespace.of(Topics.QUEUE_STATUS),
                        new StringSerializer(),
                        new ByteArraySerializer(),
                        PROCESSOR);
    }

    private static ProcessorSupplier<String, byte[], String, byte[]> supplier(
            Supplier<Processor<String, byte[], String, byte[]>> processors, CommittedStores stores) {
        return new ProcessorSupplier<>() {
            @Override
            public Processor<String, byte[], String, byte[]> get() {
                return processors.get();
            }

            @Override
            public Set<StoreBuilder<?>> stores() {
                return STORES.stream()
                        .map(store -> stores.named(store, CHANGELOG))
                        .collect(Collectors.toSet());
            }
        };
    }

    static Stores stores(ProcessorContext<?, ?> context) {
        return new Stores(
                context.getStateStore(PAYLOADS), context.getStateStore(JOBS), context.getStateStore(ENTITIES));
    }

    /** The changelogs, and how each must be configured. */
    static Map<String, Map<String, String>> changelogs(String application) {
        Map<String, Map<String, String>> all = new TreeMap<>();
        for (String store : STORES) all.put(application + "-" + store + "-changelog", CHANGELOG);
        return all;
    }

    /** The names of the stores of all partitions, by partition. */
    static List<String> stores(int partitions) {
        return IntStream.range(0, partitions)
                .mapToObj(partition -> new TaskId(0, partition))
                .flatMap(task -> STORES.stream().map(store -> CommittedStore.fullName(task, store)))
                .toList();
    }

    static List<CommittedStore> all(ProcessorContext<?, ?> context) {
        return STORES.stream()
                .map(store -> (CommittedStore) context.getStateStore(store))
                .toList();
    }
}
