package io.floodgate.standalone.changelogs;

import io.floodgate.processor.topology.disk.AdminChangelogs;
import io.floodgate.processor.topology.disk.ChangelogRecreated;
import io.floodgate.processor.topology.disk.Changelogs;
import io.floodgate.processor.topology.disk.Changelogs.Changelog;
import io.floodgate.processor.topology.disk.CommittedStores;
import io.floodgate.processor.topology.disk.Database;
import io.floodgate.processor.topology.disk.Refills;
import io.floodgate.processor.topology.disk.StreamsClients;
import io.floodgate.processor.topology.disk.Transactions;
import io.floodgate.topics.client.LocalPartitions;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.apache.kafka.streams.processor.StateRestoreListener;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.state.StoreBuilder;

/** A process, nearly: an instance of {@link Counting} with a directory of its own. */
final class Instance implements AutoCloseable {
    static final String APPLICATION = "counting";
    static final String INPUT = "in";

    final AtomicInteger untilFault = new AtomicInteger();
    final AtomicLong restored = new AtomicLong();
    final AtomicInteger threadsReplaced = new AtomicInteger();
    private final Admin admin;
    private final Database database;
    private final KafkaStreams streams;

    Instance(String bootstrap, Path directory) {
        this(bootstrap, directory, Refills.NONE, Map.of());
    }

    /** @param passed ends of changelogs that a broker names, as if it were cut off, until they are removed */
    Instance(String bootstrap, Path directory, Refills refills, Map<TopicPartition, Long> passed) {
        admin = Admin.create(Map.of("bootstrap.servers", bootstrap));
        database = Database.open(stores(directory), List.of());
        Transactions transactions = new Transactions(database, () -> {});
        CommittedStores stores =
                new CommittedStores(database, transactions, changelogs(passed), refills, Clock.systemUTC());
        Topology topology = new Topology()
                .addSource("source", new StringDeserializer(), new StringDeserializer(), INPUT)
                .addProcessor("counting", supplier(stores), "source");
        streams = new KafkaStreams(
                topology,
                config(bootstrap, directory),
                new PassedEnds(new StreamsClients(transactions, LocalPartitions.NONE, () -> false), passed));
        streams.setUncaughtExceptionHandler(failure -> {
            threadsReplaced.incrementAndGet();
            return StreamThreadExceptionResponse.REPLACE_THREAD;
        });
        streams.setGlobalStateRestoreListener(new Restored());
        try {
            streams.start();
        } catch (ChangelogRecreated rejected) {
            close();
            throw rejected;
        }
    }

    private Changelogs changelogs(Map<TopicPartition, Long> passed) {
        Changelogs now = new AdminChangelogs(admin);
        if (passed.isEmpty()) return now;
        return partition -> now.find(partition)
                .map(found ->
                        new Changelog(found.topic(), found.begin(), passed.getOrDefault(partition, found.end()), 3));
    }

    static Path stores(Path directory) {
        return directory.resolve("stores");
    }

    private ProcessorSupplier<String, String, Void, Void> supplier(CommittedStores stores) {
        return new ProcessorSupplier<>() {
            @Override
            public Processor<String, String, Void, Void> get() {
                return new Counting(untilFault);
            }

            @Override
            public Set<StoreBuilder<?>> stores() {
                return Set.of(stores.named(Counting.FIRST, Map.of()), stores.named(Counting.SECOND, Map.of()));
            }
        };
    }

    private static Properties config(String bootstrap, Path directory) {
        Properties c = new Properties();
        c.put(StreamsConfig.APPLICATION_ID_CONFIG, APPLICATION);
        c.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrap);
        c.put(StreamsConfig.STATE_DIR_CONFIG, directory.toString());
        c.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
        c.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, 20);
        c.put(StreamsConfig.NUM_STANDBY_REPLICAS_CONFIG, 1);
        c.put(StreamsConfig.PROBING_REBALANCE_INTERVAL_MS_CONFIG, 60_000);
        c.put(StreamsConfig.consumerPrefix("session.timeout.ms"), 6_000);
        c.put(StreamsConfig.consumerPrefix("heartbeat.interval.ms"), 500);
        c.put(StreamsConfig.consumerPrefix("auto.offset.reset"), "earliest");
        c.put(StreamsConfig.producerPrefix("transaction.timeout.ms"), 6_000);
        return c;
    }

    @Override
    public void close() {
        boolean ended = streams.close(CloseOptions.timeout(Duration.ofSeconds(20))
                .withGroupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP));
        if (ended) database.close();
        admin.close();
    }

    private final class Restored implements StateRestoreListener {
        @Override
        public void onRestoreStart(TopicPartition partition, String store, long from, long to) {}

        @Override
        public void onBatchRestored(TopicPartition partition, String store, long end, long number) {
            restored.addAndGet(number);
        }

        @Override
        public void onRestoreEnd(TopicPartition partition, String store, long total) {}
    }
}
