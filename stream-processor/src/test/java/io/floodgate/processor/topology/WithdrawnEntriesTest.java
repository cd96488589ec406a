package io.floodgate.processor.topology;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.store.KeyValues;
import io.floodgate.processor.topology.disk.Changelogs.Changelog;
import io.floodgate.processor.topology.disk.CommittedStores;
import io.floodgate.processor.topology.disk.Database;
import io.floodgate.processor.topology.disk.Transactions;
import io.floodgate.topics.Namespace;
import io.floodgate.topics.Topics;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.function.Consumer;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.test.TestRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What stays of an entry that is deleted by {@link KeyValues#withdraw}: each record here is a transaction. */
class WithdrawnEntriesTest {
    private static final byte[] KEY = {0, 'O', 1};
    private static final byte[] VALUE = "a message".getBytes(UTF_8);

    @TempDir
    private Path stateDir;

    private Database database;
    private TopologyTestDriver driver;
    private TestInputTopic<String, byte[]> commands;
    private TestOutputTopic<byte[], byte[]> changelog;
    private Consumer<KeyValues> transaction = store -> {};

    @BeforeEach
    void start() {
        database = Database.open(stateDir.resolve("stores"), List.of());
        CommittedStores stores = new CommittedStores(
                database,
                new Transactions(database, () -> {}),
                partition -> Optional.of(new Changelog(Uuid.ONE_UUID, 0, Long.MAX_VALUE, 1)),
                Clock.systemUTC());
        Properties config = new Properties();
        config.put(StreamsConfig.APPLICATION_ID_CONFIG, "test");
        config.put(StreamsConfig.STATE_DIR_CONFIG, stateDir.toString());
        driver = new TopologyTestDriver(PartitionTopology.build(Writing::new, stores, Namespace.NONE), config);
        commands = driver.createInputTopic(Topics.COMMANDS, new StringSerializer(), new ByteArraySerializer());
        changelog = driver.createOutputTopic(
                "test-entities-changelog", new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    @AfterEach
    void stop() {
        driver.close();
        database.close();
    }

    private final class Writing implements Processor<String, byte[], String, byte[]> {
        private @Nullable KeyValues store;

        @Override
        public void init(ProcessorContext<String, byte[]> context) {
            store = PartitionTopology.stores(context).entities();
        }

        @Override
        public void process(Record<String, byte[]> command) {
            if (store != null) transaction.accept(store);
        }
    }

    private void commits(Consumer<KeyValues> writes) {
        transaction = writes;
        commands.pipeInput("key", VALUE);
    }

    private List<TestRecord<byte[], byte[]>> logged() {
        return changelog.readRecordsToList();
    }

    private List<byte[]> stored() {
        List<byte[]> keys = new ArrayList<>();
        commits(store -> store.scan(new byte[] {0}, new byte[] {1}, (key, value) -> keys.add(key)));
        return keys;
    }

    @Test
    void nothing_if_it_was_put_in_the_same_transaction() {
        List<byte[]> seen = new ArrayList<>();
        commits(store -> {
            store.put(KEY, VALUE);
            store.withdraw(KEY);
            seen.add(store.get(KEY));
        });
        assertThat(seen).containsOnlyNulls();
        assertThat(logged()).isEmpty();
        assertThat(stored()).isEmpty();
    }

    @Test
    void a_deletion_if_it_is_committed() {
        commits(store -> store.put(KEY, VALUE));
        assertThat(stored()).containsExactly(KEY);
        assertThat(logged()).hasSize(1);

        commits(store -> store.withdraw(KEY));

        List<TestRecord<byte[], byte[]>> deletions = logged();
        assertThat(deletions).hasSize(1);
        assertThat(deletions.getFirst().key()).isEqualTo(KEY);
        assertThat(deletions.getFirst().value()).isNull();
        assertThat(stored()).isEmpty();
    }
}
