package io.floodgate.processor.topology;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.floodgate.processor.CutOff;
import io.floodgate.processor.ProcessorConfig.Logs;
import io.floodgate.processor.kernel.LogicVersion;
import io.floodgate.processor.store.KeyValues;
import io.floodgate.processor.testing.Ask;
import io.floodgate.processor.testing.Commands;
import io.floodgate.processor.testing.Ids;
import io.floodgate.processor.testing.MutedLogs;
import io.floodgate.processor.topology.disk.Changelogs.Changelog;
import io.floodgate.processor.topology.disk.CommittedStores;
import io.floodgate.processor.topology.disk.Database;
import io.floodgate.processor.topology.disk.Transactions;
import io.floodgate.topics.Headers;
import io.floodgate.topics.Namespace;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.Routing;
import io.floodgate.topics.Topics;
import io.floodgate.topics.command.CommandCodec;
import io.floodgate.topics.command.PartitionCommand.Reset;
import io.floodgate.topics.command.PartitionCommand.Upgrade;
import io.floodgate.topics.command.PartitionSettings;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
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
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/** The wiring: what the engine causes goes where it belongs. The driver has one partition, the first of two. */
class TopologyTest extends Commands {
    private static final Instant START = Instant.parse("2026-01-01T12:00:00Z");
    private static final Routing ROUTING = new Routing(2);
    private static final PartitionId HERE = ROUTING.logs().get(0);
    private static final PartitionId ELSEWHERE = ROUTING.logs().get(1);
    private static final Duration STATUS_INTERVAL = ofMillis(500);
    private static final String QUEUE = Ids.queueIn(HERE, ROUTING, "queue");
    private static final String JOB = Ids.nicknameIn(HERE, ROUTING, "job");

    @TempDir
    private Path stateDir;

    private final PlainProducer plain = new PlainProducer(false);
    private final FakeScheduler scheduler = new FakeScheduler(START);
    private final CommandTopics topics = new CommandTopics() {
        @Override
        public String id(String topic) {
            return "id";
        }

        @Override
        public long start(PartitionId log) {
            return 0;
        }
    };
    private final AtomicLong freeDisk = new AtomicLong(1_000);
    private final OpenPartitions open = new OpenPartitions();
    private DiskGuard disk;
    private Database database;
    private CommittedStores stores;
    private TopologyTestDriver driver;
    private Supplier<Processor<String, byte[], String, byte[]>> reused;
    private TestInputTopic<String, byte[]> commands;
    private TestOutputTopic<String, byte[]> events;
    private TestOutputTopic<String, byte[]> statuses;
    private Instant now = START;

    @BeforeEach
    void start() {
        database = Database.open(stateDir.resolve("stores"), List.of());
        stores = new CommittedStores(
                database,
                new Transactions(database, () -> {}),
                partition -> Optional.of(new Changelog(Uuid.ONE_UUID, 0, Long.MAX_VALUE, 1)),
                scheduler.clock);
        open(Set.of());
    }

    /** @param skipped records that an operator wants to be skipped */
    private void open(Set<String> skipped) {
        PartitionProcessor processor = new PartitionProcessor(edge(skipped));
        reused = () -> new Again(processor);
        open();
    }

    /** As when a task goes elsewhere, stays as a standby, and comes back: with the processor that it had. */
    private void open() {
        Properties config = new Properties();
        config.put(StreamsConfig.APPLICATION_ID_CONFIG, "test");
        config.put(StreamsConfig.STATE_DIR_CONFIG, stateDir.toString());
        driver = new TopologyTestDriver(PartitionTopology.build(reused, stores, Namespace.NONE), config, now);
        commands = driver.createInputTopic(Topics.COMMANDS, new StringSerializer(), new ByteArraySerializer());
        events = driver.createOutputTopic(Topics.EVENTS, new StringDeserializer(), new ByteArrayDeserializer());
        statuses = driver.createOutputTopic(Topics.QUEUE_STATUS, new StringDeserializer(), new ByteArrayDeserializer());
    }

    /** Kafka Streams wants to see a new one each time. */
    private record Again(PartitionProcessor processor) implements Processor<String, byte[], String, byte[]> {
        @Override
        public void init(ProcessorContext<String, byte[]> context) {
            processor.init(context);
        }

        @Override
        public void process(Record<String, byte[]> command) {
            processor.process(command);
        }

        @Override
        public void close() {
            processor.close();
        }
    }

    private Edge edge(Set<String> skipped) {
        Logs logs = new Logs(PartitionSettings.INITIAL, 0, 1_000, false, skipped, true, CutOff.DEFAULT);
        PartitionWriter writer = plain.writer();
        disk = new DiskGuard(freeDisk::get, Long.MAX_VALUE, logs, open, writer);
        return new Edge(
                ROUTING,
                writer,
                scheduler,
                scheduler.clock,
                topics,
                logs,
                disk,
                open,
                new StepWatch(new CutOffSteps(stateDir), CutOff.DEFAULT, thread -> 0),
                STATUS_INTERVAL,
                new Meters(new SimpleMeterRegistry()));
    }

    @AfterEach
    void stop() {
        driver.close();
        database.close();
    }

    private void receives(Ask ask, @Nullable String replyTo) {
        CommandCodec.Encoded encoded = CommandCodec.encode(ask.command());
        RecordHeaders headers = new RecordHeaders();
        headers.add(Headers.OP, encoded.op().getBytes(US_ASCII));
        if (replyTo != null) headers.add(Headers.REPLY_TO, replyTo.getBytes(US_ASCII));
        commands.pipeInput(new TestRecord<>("key", encoded.value(), headers, now));
    }

    private void after(Duration time) {
        now = now.plus(time);
        scheduler.advance(time);
        driver.advanceWallClockTime(time);
    }

    private int entriesOf(String store) {
        List<byte[]> keys = new ArrayList<>();
        ((KeyValues) driver.getStateStore(store)).scan(new byte[0], new byte[] {0x7F}, (key, value) -> keys.add(key));
        return keys.size();
    }

    private List<ProducerRecord<String, byte[]>> replies() {
        return plain.sentTo(Topics.REPLIES);
    }

    private static String text(byte[] value) {
        return new String(value, UTF_8);
    }

    /** By these names the database makes stores together. */
    @Test
    void stores_of_tasks_have_the_names_that_are_expected() throws RocksDBException {
        try (Options options = new Options()) {
            assertThat(RocksDB.listColumnFamilies(
                            options, stateDir.resolve("stores").toString()))
                    .extracting(name -> new String(name, UTF_8))
                    .containsExactlyInAnyOrder(Stream.concat(Stream.of("default"), PartitionTopology.stores(1).stream())
                            .toArray(String[]::new));
        }
    }

    @Test
    void a_reply_leaves_at_once_by_the_plain_producer() {
        receives(enqueue(JOB).to(QUEUE), "1:gateway-7:42");
        var reply = replies().getFirst();
        assertThat(reply.partition()).isEqualTo(1);
        assertThat(reply.key()).isEqualTo("gateway-7");
        assertThat(PlainProducer.header(reply, Headers.CORRELATION)).isEqualTo("42");
        assertThat(PlainProducer.header(reply, Headers.REJECTED)).isNull();
        assertThat(text(reply.value())).contains("\"state\":\"available\"");
    }

    @Test
    void a_rejection_says_so_in_a_header() {
        receives(ack(JOB), "0:g:1");
        assertThat(PlainProducer.header(replies().getFirst(), Headers.REJECTED)).isEqualTo("NOT_FOUND");
    }

    @Test
    void a_step_that_was_cut_off_before_is_rejected_and_the_partition_goes_on() {
        new CutOffSteps(stateDir).add("id", HERE, 1, 1);
        driver.close();
        open(Set.of());
        receives(enqueue(JOB).to(QUEUE), "0:g:1");
        receives(fetch(QUEUE), "0:g:2");
        receives(fetch(QUEUE), "0:g:3");
        assertThat(replies())
                .extracting(reply -> PlainProducer.header(reply, Headers.REJECTED))
                .containsExactly(null, "INTERNAL_ERROR", null);
        assertThat(text(replies().get(1).value())).contains("step_too_long");
    }

    @Test
    void who_does_not_ask_gets_no_answer() {
        receives(enqueue(JOB).to(QUEUE), null);
        for (String nonsense : List.of("", "x", "1:2", "-1:g:1", "2:g:1", "99999999999:g:1", "0:g:", "::"))
            receives(fetch(QUEUE), nonsense);
        assertThat(replies()).isEmpty();
    }

    @Test
    void events_go_into_the_transaction_under_their_key_and_time() {
        receives(enqueue(JOB).to(QUEUE), null);
        List<TestRecord<String, byte[]>> all = events.readRecordsToList();
        assertThat(all.stream().map(TestRecord::key)).containsExactly(QUEUE, QUEUE);
        assertThat(all.stream().map(TestRecord::getRecordTime)).containsOnly(START);
        assertThat(text(all.get(0).value())).contains("\"type\":\"queue.created\"");
        assertThat(text(all.get(1).value())).contains("\"type\":\"job.enqueued\"");
    }

    @Test
    void a_plain_job_without_headers_is_enqueued() {
        commands.pipeInput("any key", enqueue(JOB).to(QUEUE).json(), now);
        assertThat(events.readValuesToList()).hasSize(2);
    }

    @Test
    void a_record_without_a_value_is_rejected_for_all_to_see() {
        commands.pipeInput("key", null, now);
        assertThat(text(events.readValue())).contains("floodgate.record_rejected");
    }

    @Test
    void a_record_that_stops_its_partition_is_rejected_unread_if_an_operator_skips_it() {
        driver.close();
        open(Set.of(HERE + ":1"));
        receives(ask(new Upgrade(LogicVersion.NEWEST, "id")), null);
        receives(ask(new Upgrade(LogicVersion.NEWEST + 1, "id")), "1:gateway-7:41");
        receives(enqueue(JOB).to(QUEUE), "1:gateway-7:42");
        assertThat(replies()).hasSize(1);
        assertThat(text(replies().getFirst().value())).contains("\"state\":\"available\"");
    }

    @Test
    void a_record_with_rules_that_are_not_known_stops_its_partition() {
        receives(ask(new Upgrade(LogicVersion.NEWEST, "id")), null);
        assertThatThrownBy(() -> receives(ask(new Upgrade(LogicVersion.NEWEST + 1, "id")), null))
                .hasStackTraceContaining("--skip-records");
    }

    @Test
    void the_status_of_a_queue_is_published_once_a_round() {
        long created = now.toEpochMilli() * 1_000;
        receives(enqueue(JOB).to(QUEUE), null);
        receives(fetch(QUEUE), "1:gateway-7:41");
        assertThat(statuses.isEmpty()).isTrue();
        after(ofMillis(100));
        var status = statuses.readRecord();
        assertThat(status.key()).isEqualTo(QUEUE);
        assertThat(text(status.value())).contains("\"active\":1", "\"version\":" + (created + 2));
        after(ofSeconds(1));
        assertThat(statuses.isEmpty()).isTrue();
    }

    @Test
    void the_status_of_a_queue_that_changes_all_the_time_is_published_as_often_as_it_is_committed() {
        int published = 0;
        for (int i = 0; i < 20; i++) {
            receives(enqueue(Ids.nicknameIn(HERE, ROUTING, "job-" + i)).to(QUEUE), null);
            after(ofMillis(100));
            published += statuses.readRecordsToList().size();
        }
        assertThat(published).isEqualTo((int) ofSeconds(2).dividedBy(STATUS_INTERVAL));
    }

    @Test
    void the_status_of_a_queue_that_is_gone_is_taken_back() {
        receives(enqueue(JOB).to(QUEUE), null);
        after(ofMillis(100));
        statuses.readRecord();
        receives(ask(new Reset("id")), null);
        receives(tick(), null);
        after(STATUS_INTERVAL);
        var status = statuses.readRecord();
        assertThat(status.key()).isEqualTo(QUEUE);
        assertThat(status.value()).isNull();
    }

    @Test
    void a_log_that_comes_back_says_everything_once_more() {
        receives(enqueue(JOB).to(QUEUE), null);
        driver.close();
        open();
        after(ofMillis(100));
        assertThat(text(statuses.readRecord().value())).contains("\"available\":1");
    }

    @Test
    void what_is_stored_goes_to_the_stores() {
        receives(enqueue(JOB).to(QUEUE), null);
        assertThat(entriesOf("payloads")).isEqualTo(1);
        assertThat(entriesOf("jobs")).isEqualTo(1);
    }

    @Test
    void a_record_that_is_carried_out_is_not_kept_in_memory() {
        receives(enqueue(JOB).to(QUEUE), null);
        receives(fetch(QUEUE), null);
        WeakReference<byte[]> large = receivesLargeResult();
        receives(fetch(QUEUE), null);
        for (int i = 0; i < 50 && large.get() != null; i++) System.gc();
        assertThat(large.get()).isNull();
    }

    private WeakReference<byte[]> receivesLargeResult() {
        byte[] value = ("{\"job_id\":\"" + JOB + "\",\"result\":\"" + "x".repeat(100_000) + "\"}").getBytes(UTF_8);
        RecordHeaders headers = new RecordHeaders();
        headers.add(Headers.OP, "ack".getBytes(US_ASCII));
        commands.pipeInput(new TestRecord<>("key", value, headers, now));
        return new WeakReference<>(value);
    }

    @Test
    void a_tick_is_appended_when_a_timer_is_due() {
        receives(enqueue(JOB).to(QUEUE).delay(ofSeconds(5)), null);
        after(ofSeconds(5).minusMillis(1));
        assertThat(plain.sentTo(Topics.COMMANDS)).isEmpty();
        after(ofMillis(1));
        var tick = plain.sentTo(Topics.COMMANDS).getFirst();
        assertThat(tick.partition()).isZero();
        assertThat(PlainProducer.header(tick, Headers.OP)).isEqualTo("tick");
        events.readValuesToList();
        commands.pipeInput(new TestRecord<>(tick.key(), tick.value(), tick.headers(), now));
        assertThat(text(events.readValue())).contains("job.enqueued");
        after(ofSeconds(60));
        assertThat(plain.sentTo(Topics.COMMANDS)).hasSize(1);
    }

    @Test
    void a_log_is_informed_when_the_disk_is_nearly_full_and_when_it_is_not_any_more() {
        try (MutedLogs muted = MutedLogs.of(DiskGuard.class.getName())) {
            disk.look();
            assertThat(plain.sentTo(Topics.COMMANDS)).isEmpty();
            freeDisk.set(999);
            disk.look();
            disk.look();
            assertThat(plain.sentTo(Topics.COMMANDS)).hasSize(1);
            assertThat(text(plain.sentTo(Topics.COMMANDS).getFirst().value())).contains("\"max_memory_bytes\":1}");
            freeDisk.set(1_249);
            disk.look();
            assertThat(disk.isLow()).isTrue();
            freeDisk.set(1_250);
            disk.look();
            assertThat(text(plain.sentTo(Topics.COMMANDS).getLast().value())).contains("\"max_memory_bytes\":0}");
        }
    }

    @Test
    void a_message_is_sent_and_deleted_once_it_is_appended() {
        receives(enqueue(JOB).to(Ids.queueIn(ELSEWHERE, ROUTING, "queue")), "0:g:1");
        var message = plain.sentTo(Topics.COMMANDS).getFirst();
        assertThat(message.partition()).isEqualTo(1);
        assertThat(PlainProducer.header(message, Headers.FROM)).isEqualTo(HERE.toString());
        int before = entriesOf("entities");
        plain.producer.completeNext();
        after(ofMillis(100));
        assertThat(entriesOf("entities")).isEqualTo(before - 1);
    }

    @Test
    void a_message_that_cannot_be_appended_stops_nothing_and_is_sent_again() {
        receives(enqueue(JOB).to(Ids.queueIn(ELSEWHERE, ROUTING, "queue")), null);
        plain.producer.errorNext(new TimeoutException("no broker"));
        try (MutedLogs muted = MutedLogs.of(Receiver.class.getName())) {
            receives(fetch(QUEUE), "0:g:1");
        }
        assertThat(replies()).hasSize(1);
        after(ofSeconds(1));
        assertThat(plain.sentTo(Topics.COMMANDS)).hasSize(2);
    }

    @Test
    void a_lost_reply_stops_nothing() {
        receives(enqueue(JOB).to(QUEUE), "0:g:1");
        plain.producer.errorNext(new TimeoutException("no broker"));
        receives(fetch(QUEUE), "0:g:2");
        assertThat(replies()).hasSize(2);
        assertThat(text(replies().get(1).value())).contains("\"state\":\"active\"");
    }

    @Test
    void a_message_that_comes_twice_is_heard_once() {
        receives(enqueue(Ids.nicknameIn(ELSEWHERE, ROUTING, "job")).to(QUEUE), null);
        for (int i = 0; i < 2; i++) {
            RecordHeaders headers = new RecordHeaders();
            headers.add(Headers.OP, "store-claimed".getBytes(US_ASCII));
            headers.add(Headers.FROM, ELSEWHERE.toString().getBytes(US_ASCII));
            headers.add(Headers.SEQUENCE, "1".getBytes(US_ASCII));
            byte[] job =
                    enqueue(Ids.nicknameIn(ELSEWHERE, ROUTING, "job")).to(QUEUE).json();
            commands.pipeInput(new TestRecord<>("key", job, headers, now));
        }
        after(ofMillis(100));
        assertThat(text(statuses.readRecord().value())).contains("\"available\":1");
    }
}
