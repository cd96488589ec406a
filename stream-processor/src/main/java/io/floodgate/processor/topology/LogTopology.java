package io.floodgate.processor.topology;

import io.floodgate.topics.Routing;
import io.floodgate.topics.Topics;
import java.time.Clock;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

/**
 * The whole topology.
 *
 * <pre>
 *   ojs.commands, ojs.queue.*  ──▶  log processor  ──▶  ojs.events          in the transaction
 *                                    │  │         ──▶  ojs.queue-status     in the transaction
 *                                    │  └─ payloads, jobs, entities (stores with changelogs)
 *                                    └──▶  ojs.replies, messages, ticks     at once, by the plain producer
 * </pre>
 *
 * The log topics must only ever be written outside of transactions: an open one would hold back every command behind it.
 */
final class LogTopology {
    static final String EVENTS = "events";
    static final String STATUS = "queue-status";

    private static final String LOGS = "logs";
    private static final String PROCESSOR = "log-processor";
    private static final String PAYLOADS = "payloads";
    private static final String JOBS = "jobs";
    private static final String ENTITIES = "entities";

    /** Small segments and early cleaning: what a restart has to read back is bounded by what is alive. */
    private static final Map<String, String> CHANGELOG = Map.of(
            "segment.bytes",
            Integer.toString(32 * 1024 * 1024),
            "min.cleanable.dirty.ratio",
            "0.2",
            "delete.retention.ms",
            "60000",
            "max.message.bytes",
            Integer.toString(Topics.MAX_RECORD_BYTES));

    private LogTopology() {}

    static Topology build(Routing routing, LogWriter writer, ScheduledExecutorService scheduler, Clock clock) {
        return new Topology()
                .addSource(LOGS, new StringDeserializer(), new ByteArrayDeserializer(), Topics.LOGS)
                .addProcessor(PROCESSOR, supplier(routing, writer, scheduler, clock), LOGS)
                .addSink(EVENTS, Topics.EVENTS, new StringSerializer(), new ByteArraySerializer(), PROCESSOR)
                .addSink(STATUS, Topics.QUEUE_STATUS, new StringSerializer(), new ByteArraySerializer(), PROCESSOR);
    }

    private static ProcessorSupplier<String, byte[], String, byte[]> supplier(
            Routing routing, LogWriter writer, ScheduledExecutorService scheduler, Clock clock) {
        return new ProcessorSupplier<>() {
            @Override
            public Processor<String, byte[], String, byte[]> get() {
                return new LogProcessor(routing, writer, scheduler, clock);
            }

            @Override
            public Set<StoreBuilder<?>> stores() {
                return Set.of(store(PAYLOADS), store(JOBS), store(ENTITIES));
            }
        };
    }

    private static StoreBuilder<?> store(String name) {
        return Stores.keyValueStoreBuilder(Stores.persistentKeyValueStore(name), Serdes.Bytes(), Serdes.ByteArray())
                .withCachingEnabled()
                .withLoggingEnabled(CHANGELOG);
    }

    static io.floodgate.processor.store.Stores stores(ProcessorContext<?, ?> context) {
        return new io.floodgate.processor.store.Stores(
                keyValues(context, PAYLOADS), keyValues(context, JOBS), keyValues(context, ENTITIES));
    }

    private static StreamsKeyValues keyValues(ProcessorContext<?, ?> context, String name) {
        KeyValueStore<Bytes, byte[]> store = context.getStateStore(name);
        return new StreamsKeyValues(store);
    }
}
