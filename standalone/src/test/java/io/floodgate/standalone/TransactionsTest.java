package io.floodgate.standalone;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.floodgate.client.Job;
import io.floodgate.client.QueueRecords;
import io.floodgate.topics.JobId;
import io.floodgate.topics.client.ClientConfig;
import io.floodgate.topics.client.ClusterAccess;
import io.floodgate.topics.client.CommandClient;
import io.floodgate.topics.client.KafkaCommandClient;
import io.floodgate.topics.command.JobCommand.Claimant;
import io.floodgate.topics.command.JobCommand.Progress;
import io.floodgate.topics.command.ProgressReport;
import io.floodgate.topics.command.Reply;
import io.floodgate.worker.Worker;
import io.floodgate.worker.WorkerBuilder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerInterceptor;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is produced together with the completion of a job, or enqueued together with other records: both or neither. */
@Tag("server")
@Timeout(120)
final class TransactionsTest {
    private static final String OUTPUT = "output";
    private static final Duration SHORT = Duration.ofSeconds(1);

    @TempDir
    static Path data;

    private static Running running;
    private static Map<String, Object> kafka;
    private static HttpApi http;
    private final String queue = "q-" + UUID.randomUUID();

    @BeforeAll
    static void start() throws Exception {
        running = new Running();
        Standalone started = Standalone.start(StandaloneConfig.in(data), running);
        http = new HttpApi(started.port());
        kafka = Map.of("bootstrap.servers", started.bootstrap());
        try (Admin admin = Admin.create(kafka)) {
            admin.createTopics(List.of(new NewTopic(OUTPUT, 1, (short) 1)))
                    .all()
                    .get();
        }
    }

    @AfterAll
    static void stop() {
        running.close();
    }

    @Test
    void a_run_that_fails_leaves_nothing_and_the_one_that_succeeds_its_records_and_the_result() throws Exception {
        String job = enqueue("{\"max_attempts\":2,\"initial_interval\":\"PT0.1S\"}");
        String large = enqueue("{\"max_attempts\":1}");
        try (Worker worker = worker().handleTransactionally("pay", (context, transaction) -> {
                    int attempt = context.job().attempt();
                    transaction.send(output(context.job().id(), attempt));
                    if (context.job().id().toString().equals(large)) return "x".repeat(200 * 1024);
                    if (attempt == 1) throw new IllegalStateException("not yet");
                    return attempt;
                })
                .start()) {
            is(job, "completed");
            is(large, "discarded");
        }
        assertThat(http.get("/ojs/v1/jobs/" + job).text("/job/result")).isEqualTo("2");
        assertThat(outputs(job)).containsExactly("2");
        assertThat(outputs(large)).isEmpty();
    }

    /** Attempt 1 is a worker that has died after its commit; it was the last one. */
    @Test
    void a_job_whose_worker_dies_between_commit_and_report_is_completed_without_another_run() throws Exception {
        String job = enqueue("{\"max_attempts\":1}");
        Attempt first = new Attempt(job);
        first.write("1");
        first.prepare("\"paid\"");
        first.producer.commitTransaction();
        assertThat(http.statusOfPost("/ojs/v1/jobs/%s/cancel".formatted(job), "{}"))
                .as("it may be done")
                .isEqualTo(409);
        AtomicInteger runs = new AtomicInteger();
        try (Worker worker = countingWorker(runs)) {
            is(job, "completed");
        }
        assertThat(runs).hasValue(0);
        assertThat(outputs(job)).containsExactly("1");
        assertThat(http.get("/ojs/v1/jobs/" + job).text("/job/result")).isEqualTo("paid");
    }

    @Test
    void a_zombie_that_is_about_to_commit_when_its_lease_ends_commits_nothing() throws Exception {
        String job = enqueue("{\"max_attempts\":1}");
        Attempt zombie = new Attempt(job);
        zombie.write("zombie");
        zombie.prepare("\"zombie\"");
        AtomicInteger runs = new AtomicInteger();
        try (Worker worker = countingWorker(runs)) {
            is(job, "completed");
        }
        assertThatThrownBy(zombie.producer::commitTransaction).isInstanceOf(KafkaException.class);
        assertThat(runs).hasValue(1);
        assertThat(outputs(job)).containsExactly("1");
        assertThat(http.get("/ojs/v1/jobs/" + job).text("/job/result")).isEqualTo("1");
    }

    @Test
    void a_worker_that_is_paused_before_it_asks_whether_its_lease_lasts_commits_nothing() throws Exception {
        String job = enqueue("{\"max_attempts\":3}");
        Held.begun = new CountDownLatch(1);
        Held.goesOn = new CountDownLatch(1);
        AtomicInteger runs = new AtomicInteger();
        try (Worker zombie = worker().heartbeat(Duration.ofMinutes(10))
                .transactions(Map.of("interceptor.classes", Held.class.getName()))
                .handleTransactionally("pay", (context, transaction) -> {
                    transaction.send(output(context.job().id(), -1));
                    return "zombie";
                })
                .start()) {
            assertThat(Held.begun.await(30, TimeUnit.SECONDS)).isTrue();
            zombie.queues(List.of("elsewhere"));
            try (Worker worker = countingWorker(runs)) {
                is(job, "completed");
            }
            Held.goesOn.countDown();
        }
        assertThat(runs).hasValue(1);
        assertThat(outputs(job)).containsExactly("1");
    }

    @Test
    void jobs_of_a_transaction_that_is_committed_come_in_and_those_of_one_that_is_aborted_never_do() throws Exception {
        String topic = http.post("/ojs/v1/queues", "{\"name\":\"%s\"}".formatted(queue))
                .text("/topic");
        try (var producer = producer("orders-" + queue)) {
            producer.initTransactions();
            List<String> wanted = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                ProducerRecord<byte[], byte[]> record =
                        QueueRecords.of(Job.of("pay", i).queue(queue).orderKey("k"));
                assertThat(record.topic()).isEqualTo(topic);
                producer.beginTransaction();
                producer.send(new ProducerRecord<>(OUTPUT, queue.getBytes(UTF_8), new byte[] {(byte) i}))
                        .get();
                producer.send(record).get();
                if (i % 2 == 0) producer.abortTransaction();
                else producer.commitTransaction();
                if (i % 2 == 1) wanted.add(Integer.toString(i));
            }
            List<String> came = new ArrayList<>();
            try (Worker worker = Worker.kafka(kafka)
                    .queues(queue)
                    .concurrency(1)
                    .handle("pay", context -> came.add(context.args().path(0).asString()))
                    .start()) {
                Eventually.until("the last one came", () -> came.contains("5"));
            }
            assertThat(came).isEqualTo(wanted);
            assertThat(outputs(queue)).hasSize(wanted.size());
        }
    }

    /** What a worker does, up to where it dies, or stands still. */
    private final class Attempt {
        private final JobId job;
        private final long lease;
        private final String id = "ojs-transactions-test-" + UUID.randomUUID();
        private final KafkaProducer<byte[], byte[]> producer = producer(id);

        Attempt(String job) throws Exception {
            this.job = JobId.parse(job).orElseThrow();
            var fetched = http.post(
                    "/ojs/v1/workers/fetch",
                    "{\"queues\":[\"%s\"],\"worker_id\":\"dead\",\"visibility_timeout_ms\":1000}".formatted(queue));
            lease = Long.parseLong(fetched.text("/jobs/0/lease"));
            producer.initTransactions();
        }

        void write(String value) {
            producer.beginTransaction();
            var unused =
                    producer.send(new ProducerRecord<>(OUTPUT, job.toString().getBytes(UTF_8), value.getBytes(UTF_8)));
            producer.sendOffsetsToTransaction(
                    Map.of(new TopicPartition("ojs.replies", 0), new OffsetAndMetadata(lease, job + "/" + lease)),
                    group());
        }

        @SuppressWarnings("removal") // Kafka 4.4 has no other way to name a group without a consumer
        private ConsumerGroupMetadata group() {
            return new ConsumerGroupMetadata(id);
        }

        void prepare(String result) throws Exception {
            byte[] open = "{\"id\":\"%s\",\"lease\":%d,\"result\":%s}"
                    .formatted(id, lease, result)
                    .getBytes(UTF_8);
            ClientConfig config = ClusterAccess.find(ClusterAccess.cluster(kafka, ""), Duration.ofSeconds(20));
            try (CommandClient client = KafkaCommandClient.connect(config)) {
                Progress command =
                        new Progress(job, new Claimant("dead", lease), ProgressReport.committing(null, open));
                assertThat(client.call(client.routing().ofJob(job), job.toString(), command, Duration.ofSeconds(20)))
                        .isInstanceOf(Reply.Done.class);
            }
        }
    }

    /** Holds back the first record that its producer is given. */
    public static final class Held implements ProducerInterceptor<byte[], byte[]> {
        private static CountDownLatch begun = new CountDownLatch(0);
        private static CountDownLatch goesOn = new CountDownLatch(0);

        @Override
        public ProducerRecord<byte[], byte[]> onSend(ProducerRecord<byte[], byte[]> record) {
            begun.countDown();
            boolean interrupted = false;
            while (true) {
                try {
                    goesOn.await();
                    if (interrupted) Thread.currentThread().interrupt();
                    return record;
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }

        @Override
        public void onAcknowledgement(RecordMetadata metadata, Exception failure) {}

        @Override
        public void close() {}

        @Override
        public void configure(Map<String, ?> configs) {}
    }

    private WorkerBuilder worker() {
        return Worker.kafka(kafka).queues(queue).visibility(SHORT).heartbeat(Duration.ofMillis(200));
    }

    private Worker countingWorker(AtomicInteger runs) {
        return worker().handleTransactionally("pay", (context, transaction) -> {
                    transaction.send(output(context.job().id(), runs.incrementAndGet()));
                    return runs.get();
                })
                .start();
    }

    private String enqueue(String retry) throws Exception {
        return http.post(
                        "/ojs/v1/jobs",
                        "{\"type\":\"pay\",\"args\":[],\"queue\":\"%s\",\"retry\":%s}".formatted(queue, retry))
                .text("/job/id");
    }

    private static void is(String job, String state) throws Exception {
        Eventually.until(
                "job %s is %s".formatted(job, state),
                () -> http.get("/ojs/v1/jobs/" + job).text("/job/state").equals(state));
    }

    private static ProducerRecord<byte[], byte[]> output(JobId job, int value) {
        return new ProducerRecord<>(
                OUTPUT, job.toString().getBytes(UTF_8), Integer.toString(value).getBytes(UTF_8));
    }

    private static KafkaProducer<byte[], byte[]> producer(String id) {
        return new KafkaProducer<>(
                Map.of("bootstrap.servers", kafka.get("bootstrap.servers"), "transactional.id", id),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    /** Values of the committed records with this key. */
    private static List<String> outputs(String key) {
        List<String> found = new ArrayList<>();
        TopicPartition partition = new TopicPartition(OUTPUT, 0);
        try (var consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", kafka.get("bootstrap.servers"), "isolation.level", "read_committed"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            long end = consumer.endOffsets(List.of(partition)).get(partition);
            while (consumer.position(partition) < end)
                consumer.poll(Duration.ofMillis(100)).forEach(record -> {
                    if (new String(record.key(), UTF_8).equals(key)) found.add(new String(record.value(), UTF_8));
                });
        }
        return found;
    }
}
