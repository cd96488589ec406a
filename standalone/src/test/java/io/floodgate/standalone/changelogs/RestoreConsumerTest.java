package io.floodgate.standalone.changelogs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.topology.disk.Database;
import io.floodgate.processor.topology.disk.StreamsClients;
import io.floodgate.processor.topology.disk.Transactions;
import io.floodgate.standalone.Eventually;
import io.floodgate.standalone.broker.BrokerConfig;
import io.floodgate.standalone.broker.EmbeddedBroker;
import io.floodgate.topics.client.LocalPartitions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What Kafka Streams reads changelogs with: a partition must not wait for it while it is handed over. */
@Tag("server")
final class RestoreConsumerTest {
    private static final TopicPartition LOG = new TopicPartition("log", 0);

    @TempDir
    Path data;

    private EmbeddedBroker broker;
    private Database database;
    private KafkaProducer<byte[], byte[]> producer;
    private Consumer<byte[], byte[]> consumer;

    @BeforeEach
    void start() throws Exception {
        broker = EmbeddedBroker.start(BrokerConfig.in(data.resolve("kafka")));
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrap()))) {
            admin.createTopics(List.of(new NewTopic(LOG.topic(), 1, (short) 1)))
                    .all()
                    .get();
        }
        producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", broker.bootstrap(), "transactional.id", "owner"),
                new ByteArraySerializer(),
                new ByteArraySerializer());
        producer.initTransactions();
        database = Database.open(data.resolve("stores"), List.of());
        consumer = new StreamsClients(new Transactions(database, () -> {}), LocalPartitions.NONE, () -> false)
                .getRestoreConsumer(Map.of(
                        "bootstrap.servers",
                        broker.bootstrap(),
                        "isolation.level",
                        "read_committed",
                        "auto.offset.reset",
                        "none"));
    }

    @AfterEach
    void stop() {
        consumer.close();
        producer.close();
        database.close();
        broker.close();
    }

    private void commit(int records) {
        producer.beginTransaction();
        for (int i = 0; i < records; i++) {
            var unused = producer.send(new ProducerRecord<>(LOG.topic(), 0, null, "value".getBytes(UTF_8)));
        }
        producer.commitTransaction();
    }

    /** Reads from there until this is the position, and returns the offsets of the records. */
    private List<Long> readFrom(long offset, long end) throws Exception {
        List<Long> read = new ArrayList<>();
        comesBackTo(offset);
        Eventually.until("all is read", () -> {
            consumer.poll(Duration.ofMillis(20)).forEach(record -> read.add(record.offset()));
            return consumer.position(LOG) == end;
        });
        return read;
    }

    private void twoRecordsAreRead() throws Exception {
        commit(2);
        assertThat(readFrom(0, 3)).containsExactly(0L, 1L);
    }

    private void comesBackTo(long offset) {
        consumer.assign(List.of());
        consumer.assign(List.of(LOG));
        consumer.seek(LOG, offset);
    }

    @Test
    void what_ends_a_transaction_is_not_read_again_behind_the_last_record() throws Exception {
        twoRecordsAreRead();

        comesBackTo(2);

        assertThat(consumer.position(LOG)).isEqualTo(3);
        commit(1);
        assertThat(readFrom(2, 5)).containsExactly(3L);
    }

    @Test
    void a_record_is_read_again_by_a_store_that_does_not_have_it() throws Exception {
        twoRecordsAreRead();

        comesBackTo(1);

        assertThat(consumer.position(LOG)).isEqualTo(1);
        assertThat(readFrom(1, 3)).containsExactly(1L);
        assertThat(readFrom(0, 3)).containsExactly(0L, 1L);
    }

    @Test
    void it_does_not_wait_for_long_where_nothing_is_written() {
        comesBackTo(0);
        long begun = System.nanoTime();

        assertThat(consumer.poll(Duration.ofMinutes(5))).isEmpty();

        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofMinutes(1));
    }
}
