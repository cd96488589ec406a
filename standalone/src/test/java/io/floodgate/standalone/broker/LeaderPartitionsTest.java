package io.floodgate.standalone.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.floodgate.standalone.Eventually;
import io.floodgate.topics.Headers;
import io.floodgate.topics.Topics;
import io.floodgate.topics.client.LocalPartitions;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is written and read without the network is what comes and goes by it. */
@Tag("server")
@Timeout(60)
final class LeaderPartitionsTest {
    private static final int PATIENCE_SECONDS = 30;

    @TempDir
    static Path data;

    private static EmbeddedBroker broker;
    private static Admin admin;
    private static int topics;

    private final LocalPartitions logs = broker.logs();
    private String topic = "";

    @BeforeAll
    static void start() {
        broker = EmbeddedBroker.start(BrokerConfig.in(data));
        admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrap()));
    }

    @AfterAll
    static void stop() {
        admin.close();
        broker.close();
    }

    @BeforeEach
    void newTopic() throws Exception {
        topic = "topic-" + topics++;
        create();
    }

    private boolean isHere(int partition) {
        return logs.append(record(partition, "a probe"), (metadata, failure) -> {});
    }

    private void create() throws Exception {
        NewTopic asked = new NewTopic(topic, 2, (short) 1)
                .configs(Map.of("message.timestamp.type", "LogAppendTime", "max.message.bytes", "100000"));
        admin.createTopics(Set.of(asked)).all().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        assertThat(append(1, "first").get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isZero();
    }

    /** Batches of the topic may have this many bytes. */
    private void holds(int bytes) throws Exception {
        var largest = new AlterConfigOp(
                new ConfigEntry("max.message.bytes", Integer.toString(bytes)), AlterConfigOp.OpType.SET);
        var resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        admin.incrementalAlterConfigs(Map.of(resource, List.of(largest))).all().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    private ProducerRecord<String, byte[]> record(int partition, String value) {
        ProducerRecord<String, byte[]> record =
                new ProducerRecord<>(topic, partition, "key", value.getBytes(StandardCharsets.UTF_8));
        record.headers().add("header", new byte[] {7});
        return record;
    }

    /** The offset, when the callback gets it. */
    private CompletableFuture<Long> append(int partition, String value) {
        return append(record(partition, value));
    }

    private CompletableFuture<Long> append(ProducerRecord<String, byte[]> record) {
        CompletableFuture<RecordMetadata> told = new CompletableFuture<>();
        Callback done = (metadata, failure) -> {
            if (failure == null) told.complete(metadata);
            else told.completeExceptionally(failure);
        };
        // A new topic is led here a moment after it is said to be made.
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!logs.append(record, done)) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            Thread.onSpinWait();
        }
        return told.thenApply(RecordMetadata::offset);
    }

    private static Map<String, Object> config(String group) {
        Map<String, Object> config = new HashMap<>();
        config.put("bootstrap.servers", broker.bootstrap());
        config.put("group.id", group);
        config.put("auto.offset.reset", "earliest");
        config.put("enable.auto.commit", false);
        config.put("isolation.level", "read_committed");
        return config;
    }

    private Consumer<byte[], byte[]> subscribed() {
        Consumer<byte[], byte[]> consumer = logs.consumer(config(topic));
        consumer.subscribe(List.of(topic));
        return consumer;
    }

    private static List<String> read(Consumer<byte[], byte[]> consumer, int partition, int most) {
        List<String> values = new ArrayList<>();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (values.size() < most && System.nanoTime() < deadline)
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(100)))
                if (record.partition() == partition) values.add(new String(record.value(), StandardCharsets.UTF_8));
        return values;
    }

    private Producer<String, byte[]> producer(Map<String, Object> more) {
        Map<String, Object> config = new HashMap<>(more);
        config.put("bootstrap.servers", broker.bootstrap());
        return new KafkaProducer<>(config, new StringSerializer(), new ByteArraySerializer());
    }

    /** With the next flush. */
    private static void sendLater(Producer<String, byte[]> producer, ProducerRecord<String, byte[]> record) {
        var unused = producer.send(record);
    }

    private TopicPartition partition(int number) {
        return new TopicPartition(topic, number);
    }

    @Test
    void what_is_appended_comes_in_order_and_is_reported_with_its_offset() throws Exception {
        List<CompletableFuture<Long>> told =
                IntStream.range(0, 2_000).mapToObj(i -> append(0, "value " + i)).toList();

        for (int i = 0; i < told.size(); i++)
            assertThat(told.get(i).get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isEqualTo(i);
        try (Consumer<byte[], byte[]> plain =
                new KafkaConsumer<>(config(topic), new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            plain.assign(List.of(partition(0)));
            assertThat(read(plain, 0, 2_000))
                    .isEqualTo(IntStream.range(0, 2_000)
                            .mapToObj(i -> "value " + i)
                            .toList());
        }
    }

    @Test
    void a_topic_that_is_not_here_is_left_to_a_producer() {
        boolean here = logs.append(
                new ProducerRecord<>("elsewhere", 0, "key", new byte[0]), (metadata, failure) -> fail("called back"));

        assertThat(here).isFalse();
    }

    @Test
    void what_comes_behind_a_record_that_went_by_the_network_waits_for_it_or_goes_the_same_way() throws Exception {
        ProducerRecord<String, byte[]> first = new ProducerRecord<>("late-" + topic, 0, "key", new byte[0]);
        CompletableFuture<RecordMetadata> told = new CompletableFuture<>();
        try (MockProducer<String, byte[]> network =
                new MockProducer<>(false, null, new StringSerializer(), new ByteArraySerializer())) {
            logs.send(first, (metadata, failure) -> {}, network);
            NewTopic asked = new NewTopic(first.topic(), 1, (short) 1);
            admin.createTopics(Set.of(asked)).all().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            Eventually.until("the topic is led here", () -> logs.append(first, (metadata, failure) -> {}));

            logs.send(first, (metadata, failure) -> {}, network);
            assertThat(network.history()).hasSize(2);
            assertThat(network.completeNext()).isTrue();
            assertThat(network.completeNext()).isTrue();

            logs.send(first, (metadata, failure) -> told.complete(metadata), network);
            assertThat(told).succeedsWithin(Duration.ofSeconds(PATIENCE_SECONDS));
            assertThat(network.history()).hasSize(2);
        }
    }

    @Test
    void what_is_too_large_is_rejected_and_what_came_with_it_is_not() {
        CompletableFuture<Long> before = append(0, "before");
        CompletableFuture<Long> large = append(0, "x".repeat(100_001));
        CompletableFuture<Long> after = append(1, "after");

        assertThat(large)
                .failsWithin(Duration.ofSeconds(PATIENCE_SECONDS))
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(RecordTooLargeException.class);
        assertThat(after).succeedsWithin(Duration.ofSeconds(PATIENCE_SECONDS));
        assertThat(before).succeedsWithin(Duration.ofSeconds(PATIENCE_SECONDS));
    }

    @Test
    void a_consumer_gets_what_was_appended_here_and_what_came_by_the_network() throws Exception {
        try (Consumer<byte[], byte[]> consumer = subscribed();
                Producer<String, byte[]> producer = producer(Map.of("compression.type", "lz4"))) {
            append(0, "here").get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            assertThat(read(consumer, 0, 1)).containsExactly("here");

            producer.send(record(0, "from afar")).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            ConsumerRecords<byte[], byte[]> records = consumer.poll(Duration.ofSeconds(PATIENCE_SECONDS));

            assertThat(records.records(partition(0))).singleElement().satisfies(record -> {
                assertThat(record.offset()).isEqualTo(1);
                assertThat(record.key()).isEqualTo("key".getBytes(StandardCharsets.UTF_8));
                assertThat(record.timestampType()).isEqualTo(TimestampType.LOG_APPEND_TIME);
                assertThat(record.headers().lastHeader("header").value()).containsExactly(7);
            });
            assertThat(records.nextOffsets().get(partition(0)).offset()).isEqualTo(2);
            assertThat(consumer.position(partition(0))).isEqualTo(2);
            assertThat(consumer.currentLag(partition(0))).hasValue(0);
        }
    }

    @Test
    void a_paused_partition_waits_and_the_other_does_not() throws Exception {
        try (Consumer<byte[], byte[]> consumer = subscribed()) {
            assertThat(read(consumer, 1, 1)).containsExactly("first");
            consumer.pause(List.of(partition(0)));
            append(0, "waits").get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            append(1, "goes").get(PATIENCE_SECONDS, TimeUnit.SECONDS);

            assertThat(consumer.poll(Duration.ofSeconds(PATIENCE_SECONDS)).partitions())
                    .containsExactly(partition(1));
            assertThat(consumer.paused()).containsExactly(partition(0));
            consumer.resume(List.of(partition(0)));
            assertThat(read(consumer, 0, 1)).containsExactly("waits");
            assertThat(consumer.paused()).isEmpty();
        }
    }

    @Test
    void a_partition_with_much_to_read_does_not_keep_the_other_waiting() throws Exception {
        for (int i = 0; i < 1_000; i++) append(0, "much").get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        Map<String, Object> config = config(topic);
        config.put("max.poll.records", 10);
        try (Consumer<byte[], byte[]> consumer = logs.consumer(config)) {
            consumer.subscribe(List.of(topic));
            assertThat(read(consumer, 1, 1)).containsExactly("first");
            append(1, "little").get(PATIENCE_SECONDS, TimeUnit.SECONDS);

            List<TopicPartition> read = new ArrayList<>();
            for (int i = 0; i < 2; i++)
                read.addAll(consumer.poll(Duration.ofSeconds(PATIENCE_SECONDS)).partitions());
            assertThat(read).contains(partition(0), partition(1));
        }
    }

    @Test
    void who_seeks_reads_from_there() throws Exception {
        for (String value : List.of("a", "b", "c")) append(0, value).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        try (Consumer<byte[], byte[]> consumer = subscribed()) {
            assertThat(read(consumer, 0, 3)).containsExactly("a", "b", "c");
            consumer.seek(partition(0), 1);
            assertThat(read(consumer, 0, 2)).containsExactly("b", "c");
            consumer.seek(partition(0), new OffsetAndMetadata(2));
            assertThat(read(consumer, 0, 1)).containsExactly("c");
            consumer.seekToBeginning(List.of(partition(0)));
            assertThat(read(consumer, 0, 3)).containsExactly("a", "b", "c");
            consumer.seekToEnd(List.of(partition(0)));
            assertThat(consumer.position(partition(0))).isEqualTo(3);
            append(0, "d").get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            assertThat(read(consumer, 0, 1)).containsExactly("d");
        }
    }

    @Test
    void who_comes_back_goes_on_where_it_has_committed() throws Exception {
        append(0, "done").get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        try (Consumer<byte[], byte[]> consumer = subscribed()) {
            assertThat(read(consumer, 0, 1)).containsExactly("done");
            consumer.commitSync(Map.of(partition(0), new OffsetAndMetadata(1)));
        }
        append(0, "next").get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        try (Consumer<byte[], byte[]> consumer = subscribed()) {
            assertThat(read(consumer, 0, 1)).containsExactly("next");
        }
    }

    @Test
    void of_transactions_only_what_is_committed_is_read() throws Exception {
        try (Consumer<byte[], byte[]> consumer = subscribed();
                Producer<String, byte[]> producer = producer(Map.of("transactional.id", topic))) {
            assertThat(read(consumer, 1, 1)).containsExactly("first");
            producer.initTransactions();
            producer.beginTransaction();
            producer.send(record(0, "aborted")).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            append(0, "beside").get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            producer.abortTransaction();
            producer.beginTransaction();
            producer.send(record(0, "committed")).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            producer.commitTransaction();
            append(0, "after").get(PATIENCE_SECONDS, TimeUnit.SECONDS);

            assertThat(read(consumer, 0, 3)).containsExactly("beside", "committed", "after");
            append(1, "other").get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            assertThat(read(consumer, 1, 1)).containsExactly("other");
        }
    }

    @Test
    void a_compressed_batch_is_read_in_parts_and_in_order() throws Exception {
        String blanks = " ".repeat(1_000_000);
        try (Consumer<byte[], byte[]> consumer = subscribed();
                Producer<String, byte[]> producer =
                        producer(Map.of("compression.type", "zstd", "batch.size", 10_000_000, "linger.ms", 60_000))) {
            for (int i = 0; i < 40; i++) sendLater(producer, record(0, i + blanks));
            producer.flush();
            List<String> values = new ArrayList<>();
            while (values.size() < 40) {
                ConsumerRecords<byte[], byte[]> some = consumer.poll(Duration.ofMillis(200));
                assertThat(some.count()).isLessThanOrEqualTo(3);
                for (ConsumerRecord<byte[], byte[]> record : some.records(partition(0)))
                    values.add(new String(record.value(), StandardCharsets.UTF_8).trim());
            }
            assertThat(values)
                    .isEqualTo(
                            IntStream.range(0, 40).mapToObj(Integer::toString).toList());
            consumer.seek(partition(0), 7);
            assertThat(read(consumer, 0, 1).getFirst().trim()).isEqualTo("7");
        }
    }

    @Test
    void a_record_that_is_too_large_is_not_read_and_its_neighbours_are() throws Exception {
        Map<String, Object> compressing = Map.of(
                "compression.type", "gzip",
                "batch.size", 100_000_000,
                "linger.ms", 60_000,
                "max.request.size", 100_000_000,
                "buffer.memory", 200_000_000L);
        try (Consumer<byte[], byte[]> consumer = subscribed();
                Producer<String, byte[]> producer = producer(compressing)) {
            sendLater(producer, record(0, "before"));
            sendLater(producer, new ProducerRecord<>(topic, 0, "key", new byte[Topics.MAX_RECORD_BYTES + 1]));
            sendLater(producer, record(0, "after"));
            producer.flush();
            List<ConsumerRecord<byte[], byte[]>> read = new ArrayList<>();
            while (read.size() < 3)
                read.addAll(consumer.poll(Duration.ofMillis(200)).records(partition(0)));
            assertThat(read.stream().map(ConsumerRecord::offset)).containsExactly(0L, 1L, 2L);
            assertThat(read.get(0).value()).asString().isEqualTo("before");
            assertThat(read.get(1).serializedValueSize()).isNegative();
            assertThat(read.get(1).headers().lastHeader(Headers.TOO_LARGE)).isNotNull();
            assertThat(read.get(2).value()).asString().isEqualTo("after");
        }
    }

    @ParameterizedTest
    @CsvSource({"zstd, 0", "none, 0", "none, 2000000"})
    void a_record_with_too_many_headers_is_not_read_and_its_neighbours_are(String compression, int bytes)
            throws Exception {
        Map<String, Object> config =
                Map.of("compression.type", compression, "max.request.size", 4_000_000, "linger.ms", 60_000);
        ProducerRecord<String, byte[]> many = new ProducerRecord<>(topic, 0, "key", new byte[bytes]);
        Header empty = new RecordHeader("", null);
        for (int i = 0; i <= Topics.MAX_RECORD_HEADERS; i++) many.headers().add(empty);
        ProducerRecord<String, byte[]> enough = record(0, "enough");
        while (enough.headers().toArray().length < Topics.MAX_RECORD_HEADERS)
            enough.headers().add(empty);
        holds(4_000_000);
        try (Consumer<byte[], byte[]> consumer = subscribed();
                Producer<String, byte[]> producer = producer(config)) {
            sendLater(producer, enough);
            sendLater(producer, many);
            sendLater(producer, record(0, "after"));
            producer.flush();
            List<ConsumerRecord<byte[], byte[]>> read = new ArrayList<>();
            while (read.size() < 3)
                read.addAll(consumer.poll(Duration.ofMillis(200)).records(partition(0)));
            assertThat(read.stream().map(ConsumerRecord::offset)).containsExactly(0L, 1L, 2L);
            assertThat(read.get(0).value()).asString().isEqualTo("enough");
            assertThat(read.get(0).headers()).hasSize(Topics.MAX_RECORD_HEADERS);
            assertThat(read.get(1).serializedValueSize()).isNegative();
            assertThat(read.get(1).headers()).hasSize(1);
            assertThat(read.get(1).headers().lastHeader(Headers.TOO_LARGE)).isNotNull();
            assertThat(read.get(2).value()).asString().isEqualTo("after");
        }
    }

    @Test
    void who_is_where_records_have_been_deleted_starts_again_as_it_is_configured_to() throws Exception {
        for (String value : List.of("a", "b", "c")) append(0, value).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        try (Consumer<byte[], byte[]> consumer = subscribed()) {
            assertThat(read(consumer, 0, 3)).hasSize(3);
            consumer.pause(List.of(partition(0)));
            consumer.seek(partition(0), 0);
            admin.deleteRecords(Map.of(partition(0), RecordsToDelete.beforeOffset(2)))
                    .all()
                    .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            consumer.resume(List.of(partition(0)));

            assertThat(read(consumer, 0, 1)).containsExactly("c");
        }
    }

    @Test
    void a_topic_that_is_made_again_is_read_from_its_beginning() throws Exception {
        for (String value : List.of("a", "b")) append(0, value).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        try (Consumer<byte[], byte[]> consumer = subscribed()) {
            assertThat(read(consumer, 0, 2)).containsExactly("a", "b");
            admin.deleteTopics(List.of(topic)).all().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            Eventually.until("it is gone", () -> !isHere(1));
            create();

            append(0, "new").get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            assertThat(read(consumer, 0, 1)).containsExactly("new");
        }
    }

    @Test
    void the_group_shares_as_ever() throws Exception {
        try (Consumer<byte[], byte[]> one = subscribed()) {
            assertThat(read(one, 1, 1)).containsExactly("first");
            assertThat(one.assignment()).hasSize(2);
            Revocations revoked = new Revocations();
            one.unsubscribe();
            one.subscribe(List.of(topic), revoked);
            read(one, 1, 1);
            try (Consumer<byte[], byte[]> other =
                    new KafkaConsumer<>(config(topic), new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
                other.subscribe(List.of(topic));
                Eventually.until("they share", () -> {
                    one.poll(Duration.ofMillis(50));
                    other.poll(Duration.ofMillis(50));
                    return one.assignment().size() == 1 && other.assignment().size() == 1;
                });
                assertThat(revoked.all).contains(partition(0), partition(1));
            }
            Eventually.until("one has all", () -> {
                one.poll(Duration.ofMillis(50));
                return one.assignment().size() == 2;
            });
            append(0, "one's again").get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            assertThat(read(one, 0, 1)).containsExactly("one's again");
        }
    }

    private static final class Revocations implements ConsumerRebalanceListener {
        private final List<TopicPartition> all = new ArrayList<>();

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
            all.addAll(partitions);
        }

        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {}
    }
}
