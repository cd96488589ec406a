package io.floodgate.standalone.changelogs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.floodgate.processor.topology.disk.Database;
import io.floodgate.processor.topology.disk.StreamsClients;
import io.floodgate.processor.topology.disk.Transactions;
import io.floodgate.standalone.Eventually;
import io.floodgate.standalone.broker.BrokerConfig;
import io.floodgate.standalone.broker.EmbeddedBroker;
import io.floodgate.topics.client.LocalPartitions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the tasks of a stream thread have written is sent once, at the end of their transaction. */
@Tag("server")
final class TransactionEndTest {
    private static final int PARTITIONS = 8;
    private static final ConsumerGroupMetadata GROUP = new MockConsumer<>("earliest").groupMetadata();

    @TempDir
    Path data;

    private final AtomicInteger commits = new AtomicInteger();
    private EmbeddedBroker broker;
    private Admin admin;
    private Database database;
    private StreamsClients clients;

    @BeforeEach
    void start() throws Exception {
        broker = EmbeddedBroker.start(BrokerConfig.in(data.resolve("kafka")));
        admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrap()));
        admin.createTopics(List.of(new NewTopic("whole", PARTITIONS, (short) 1), new NewTopic("lost", 1, (short) 1)))
                .all()
                .get();
        database = Database.open(data.resolve("stores"), List.of());
        clients = new StreamsClients(
                new Transactions(database, commits::incrementAndGet), LocalPartitions.NONE, () -> false);
    }

    @AfterEach
    void stop() {
        database.close();
        admin.close();
        broker.close();
    }

    @Test
    void tasks_that_are_flushed_one_by_one_share_a_request() {
        try (Producer<byte[], byte[]> producer = producer(60_000)) {
            producer.beginTransaction();
            List<Future<RecordMetadata>> sent = new ArrayList<>();
            double before = requests(producer);
            for (int task = 0; task < PARTITIONS; task++) {
                sent.add(producer.send(record("whole", task), (metadata, failure) -> {}));
                producer.flush();
            }
            assertThat(sent).noneMatch(Future::isDone);
            producer.sendOffsetsToTransaction(Map.of(), GROUP);
            assertThat(sent).allMatch(Future::isDone);
            producer.commitTransaction();
            // One for the records, unless the coordinator of transactions asks to try again; one for the end.
            assertThat(requests(producer) - before).isLessThan(PARTITIONS);
            assertThat(commits).hasValue(1);
        }
    }

    @Test
    void a_producer_is_known_to_the_coordinator_before_its_first_partition_waits_for_it() throws Exception {
        try (Producer<byte[], byte[]> producer =
                clients.getProducer(Map.of("bootstrap.servers", broker.bootstrap(), "transactional.id", "early"))) {
            Eventually.until(
                    "it is known",
                    () -> admin.listTransactions().all().get().stream()
                            .anyMatch(each -> each.transactionalId().equals("early")));

            producer.initTransactions();
            producer.beginTransaction();
            var sent = producer.send(record("whole", 0), (metadata, failure) -> {});
            producer.sendOffsetsToTransaction(Map.of(), GROUP);
            producer.commitTransaction();

            assertThat(sent.get().offset()).isZero();
            assertThat(commits).hasValue(1);
        }
    }

    @Test
    void a_record_that_is_lost_at_the_end_ends_the_transaction_and_nothing_after_it() throws Exception {
        List<Exception> passedOn = new CopyOnWriteArrayList<>();
        try (Producer<byte[], byte[]> producer = producer(1_000)) {
            beginWithALostRecord(producer, passedOn);
            producer.flush();
            assertThatThrownBy(() -> producer.sendOffsetsToTransaction(Map.of(), GROUP))
                    .isInstanceOf(TimeoutException.class);
            assertThat(passedOn).isEmpty();
            producer.abortTransaction();
            producer.beginTransaction();
            Future<RecordMetadata> next = producer.send(record("whole", 0), (metadata, failure) -> {});
            producer.sendOffsetsToTransaction(Map.of(), GROUP);
            producer.commitTransaction();
            assertThat(next).isDone();
            assertThat(commits).hasValue(1);
        }
    }

    @Test
    void a_record_that_is_lost_before_the_end_is_reported_at_once() throws Exception {
        List<Exception> passedOn = new CopyOnWriteArrayList<>();
        try (Producer<byte[], byte[]> producer = producer(0)) {
            beginWithALostRecord(producer, passedOn);
            Eventually.until("the loss is reported", () -> !passedOn.isEmpty());
            assertThat(passedOn).singleElement().isInstanceOf(TimeoutException.class);
            assertThatThrownBy(() -> producer.sendOffsetsToTransaction(Map.of(), GROUP))
                    .isInstanceOf(TimeoutException.class);
            producer.abortTransaction();
        }
    }

    /** To a topic that is gone, though the producer still knows who led it. */
    private void beginWithALostRecord(Producer<byte[], byte[]> producer, List<Exception> passedOn) throws Exception {
        assertThat(producer.partitionsFor("lost")).hasSize(1);
        admin.deleteTopics(List.of("lost")).all().get();
        producer.beginTransaction();
        var unused = producer.send(record("lost", 0), (metadata, failure) -> passedOn.add(failure));
    }

    private Producer<byte[], byte[]> producer(int lingerMs) {
        Map<String, Object> config = new HashMap<>();
        config.put("bootstrap.servers", broker.bootstrap());
        config.put("transactional.id", "tasks");
        config.put("linger.ms", lingerMs);
        config.put("request.timeout.ms", 500);
        config.put("delivery.timeout.ms", lingerMs + 1_000);
        Producer<byte[], byte[]> producer = clients.getProducer(config);
        producer.initTransactions();
        return producer;
    }

    private static ProducerRecord<byte[], byte[]> record(String topic, int partition) {
        return new ProducerRecord<>(topic, partition, null, "value".getBytes(UTF_8));
    }

    private static double requests(Producer<byte[], byte[]> producer) {
        return producer.metrics().entrySet().stream()
                .filter(metric -> metric.getKey().group().equals("producer-metrics")
                        && metric.getKey().name().equals("request-total"))
                .mapToDouble(metric -> (Double) metric.getValue().metricValue())
                .sum();
    }
}
