package io.floodgate.standalone.changelogs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.floodgate.processor.topology.disk.AdminChangelogs;
import io.floodgate.processor.topology.disk.ChangelogRecreated;
import io.floodgate.processor.topology.disk.KafkaRefills;
import io.floodgate.processor.topology.disk.Refills;
import io.floodgate.standalone.Eventually;
import io.floodgate.standalone.broker.BrokerConfig;
import io.floodgate.standalone.broker.EmbeddedBroker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Whatever happens to its process, a store is what a replay of its changelog gives, and what its input says. */
@Tag("server")
final class CommittedStoresTest {
    private static final int PARTITIONS = 2;
    private static final int KEYS = 40;

    @TempDir
    Path data;

    private final Logger streams = (Logger) LoggerFactory.getLogger("org.apache.kafka.streams");
    private final Random random = new Random(7);
    private final List<Map<String, Integer>> expected = List.of(new TreeMap<>(), new TreeMap<>());
    private EmbeddedBroker broker;
    private Admin admin;
    private KafkaProducer<String, String> producer;

    @BeforeEach
    void start() throws Exception {
        broker = EmbeddedBroker.start(BrokerConfig.in(data.resolve("kafka")));
        admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrap()));
        admin.createTopics(List.of(new NewTopic(Instance.INPUT, PARTITIONS, (short) 1)))
                .all()
                .get();
        producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", broker.bootstrap()), new StringSerializer(), new StringSerializer());
        Counting.SHOWN.clear();
        streams.setLevel(Level.OFF); // faults are part of it
    }

    @AfterEach
    void stop() {
        streams.setLevel(null);
        producer.close();
        admin.close();
        broker.close();
    }

    @Test
    void equals_a_replay_after_faults_crashes_and_moves() throws Exception {
        try (var first = instance("first");
                var second = instance("second")) {
            feed(500);
            first.untilFault.set(1 + random.nextInt(100));
            second.untilFault.set(1 + random.nextInt(100));
            feed(400);
            copy("first", "crashed"); // as a process leaves it that is killed now
            feed(400);
        }
        // What is on disk is older than what the others did meanwhile.
        try (var crashed = instance("crashed")) {
            feed(300);
        }
        try (var first = instance("first")) {
            feed(300);
            compare();
            assertThat(first.restored.get()).isPositive();
        }
    }

    @Test
    void reads_only_the_tail_after_a_crash() throws Exception {
        try (var instance = instance("first")) {
            feed(1_000);
            copy("first", "crashed");
        }
        try (var crashed = instance("crashed")) {
            feed(10);
            compare();
            assertThat(crashed.restored.get()).isLessThan(100);
        }
    }

    @Test
    void is_not_used_before_it_has_all_that_was_committed_whatever_end_of_its_changelog_a_broker_names()
            throws Exception {
        Map<TopicPartition, Long> passed;
        try (var instance = instance("first")) {
            feed(200);
            copy("first", "crashed");
            passed = ends();
            feed(200);
        }
        try (var crashed = new Instance(broker.bootstrap(), data.resolve("crashed"), Refills.NONE, passed)) {
            show();
            Eventually.until("an end that was passed is noticed", () -> crashed.threadsReplaced.get() > 0);
            passed.clear();
            feed(10);
            compare();
        }
    }

    /** The ends of the changelogs now. */
    private Map<TopicPartition, Long> ends() {
        List<TopicPartition> changelogs = new ArrayList<>(partitions(changelog(Counting.FIRST)));
        changelogs.addAll(partitions(changelog(Counting.SECOND)));
        try (var consumer = consumer()) {
            return new ConcurrentHashMap<>(consumer.endOffsets(changelogs));
        }
    }

    @Test
    void a_changelog_that_was_looked_at_a_moment_ago_is_asked_for_what_was_written_since() throws Exception {
        AdminChangelogs changelogs = new AdminChangelogs(admin);
        TopicPartition written = new TopicPartition(Instance.INPUT, 0);
        assertThat(changelogs.find(written).orElseThrow().end()).isZero();

        producer.send(new ProducerRecord<>(Instance.INPUT, 0, "key", "1")).get();

        assertThat(changelogs.findNow(written).orElseThrow().end()).isOne();
        assertThat(changelogs.find(written).orElseThrow().end()).isOne();
    }

    @Test
    void is_not_emptied_when_its_changelog_was_made_again_and_is_written_back_when_asked_for() throws Exception {
        try (var instance = instance("first")) {
            feed(100);
        }
        for (String store : List.of(Counting.FIRST, Counting.SECOND)) {
            admin.deleteTopics(List.of(changelog(store))).all().get();
            Eventually.until(
                    "a changelog is deleted",
                    () -> !admin.listTopics().names().get().contains(changelog(store)));
        }
        assertThatThrownBy(() -> instance("first"))
                .isInstanceOf(ChangelogRecreated.class)
                .hasMessageContaining("--refill-changelogs");
        for (String store : List.of(Counting.FIRST, Counting.SECOND))
            admin.createTopics(List.of(new NewTopic(changelog(store), PARTITIONS, (short) 1)
                            .configs(Map.of("cleanup.policy", "compact"))))
                    .all()
                    .get();
        Refills refills = new KafkaRefills(Map.of("bootstrap.servers", broker.bootstrap()));
        try (var instance = new Instance(broker.bootstrap(), data.resolve("first"), refills, Map.of())) {
            feed(200);
            compare();
        }
    }

    private Instance instance(String name) {
        return new Instance(broker.bootstrap(), data.resolve(name));
    }

    private static String changelog(String store) {
        return Instance.APPLICATION + "-" + store + "-changelog";
    }

    /** Appends records and waits until they are counted for good. */
    private void feed(int records) throws Exception {
        for (int i = 0; i < records; i++) {
            int partition = random.nextInt(PARTITIONS);
            String key = "key-" + random.nextInt(KEYS);
            boolean forget = random.nextInt(10) == 0;
            var unused = producer.send(
                    new ProducerRecord<>(Instance.INPUT, partition, key, forget ? Counting.FORGET : "count"));
            if (forget) expected.get(partition).remove(key);
            else expected.get(partition).merge(key, 1, Integer::sum);
            if (i % 50 == 0) producer.flush(); // so that there are several transactions
        }
        awaitProcessed();
    }

    private void awaitProcessed() throws Exception {
        producer.flush();
        try (var consumer = consumer()) {
            var ends = consumer.endOffsets(partitions(Instance.INPUT));
            Eventually.until("everything is processed", () -> {
                var offsets = admin.listConsumerGroupOffsets(Instance.APPLICATION)
                        .partitionsToOffsetAndMetadata()
                        .get();
                return ends.entrySet().stream().allMatch(end -> {
                    var offset = offsets.get(end.getKey());
                    return end.getValue() == 0 || (offset != null && offset.offset() == end.getValue());
                });
            });
        }
    }

    private void show() {
        for (int p = 0; p < PARTITIONS; p++) {
            var unused = producer.send(new ProducerRecord<>(Instance.INPUT, p, "show", Counting.SHOW));
        }
        producer.flush();
    }

    private void compare() throws Exception {
        show();
        awaitProcessed();
        for (int p = 0; p < PARTITIONS; p++) {
            for (String store : List.of(Counting.FIRST, Counting.SECOND)) {
                assertThat(Counting.SHOWN.get(p + store))
                        .as("%s of partition %d", store, p)
                        .isEqualTo(replay(new TopicPartition(changelog(store), p)))
                        .isEqualTo(expected.get(p));
            }
        }
    }

    private Map<String, Integer> replay(TopicPartition changelog) {
        Map<String, Integer> state = new TreeMap<>();
        try (var consumer = consumer()) {
            consumer.assign(List.of(changelog));
            consumer.seekToBeginning(List.of(changelog));
            long end = consumer.endOffsets(List.of(changelog)).get(changelog);
            while (consumer.position(changelog) < end) {
                for (var record : consumer.poll(Duration.ofMillis(100))) {
                    if (record.value() == null) state.remove(record.key());
                    else state.put(record.key(), Integer.parseInt(record.value()));
                }
            }
        }
        return state;
    }

    private KafkaConsumer<String, String> consumer() {
        Map<String, Object> config = new HashMap<>();
        config.put("bootstrap.servers", broker.bootstrap());
        config.put("isolation.level", "read_committed");
        return new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer());
    }

    private static List<TopicPartition> partitions(String topic) {
        List<TopicPartition> all = new ArrayList<>();
        for (int p = 0; p < PARTITIONS; p++) all.add(new TopicPartition(topic, p));
        return all;
    }

    private void copy(String from, String to) throws IOException {
        Path source = Instance.stores(data.resolve(from));
        Path target = Instance.stores(data.resolve(to));
        Files.createDirectories(target);
        try (Stream<Path> files = Files.list(source)) {
            for (Path file : files.toList()) Files.copy(file, target.resolve(file.getFileName()));
        }
        // A killed process leaves the directories of its tasks, too.
        Path tasks = data.resolve(from).resolve(Instance.APPLICATION);
        try (Stream<Path> all = Files.list(tasks)) {
            for (Path task : all.filter(Files::isDirectory).toList()) {
                Path copy = data.resolve(to).resolve(Instance.APPLICATION).resolve(task.getFileName());
                Files.createDirectories(copy);
                Files.write(copy.resolve("stores-are-elsewhere"), "".getBytes(UTF_8));
            }
        }
    }
}
