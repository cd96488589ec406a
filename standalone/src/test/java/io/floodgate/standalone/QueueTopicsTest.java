package io.floodgate.standalone;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.gateway.GatewayConfig;
import io.floodgate.topics.Namespace;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Queues with topics of their own, as operators make them and Kafka clients use them. */
@Tag("server")
final class QueueTopicsTest {
    private static final String TOPIC = "ojs.queue.email";

    @TempDir
    Path data;

    @Test
    void a_queue_that_an_operator_makes_takes_jobs_from_a_topic_of_its_own() throws Exception {
        try (var running = new Running()) {
            Standalone started = Standalone.start(StandaloneConfig.in(data), running);
            var http = new HttpApi(started.port());
            try (var producer = producer(started.bootstrap());
                    var admin = Admin.create(Map.of("bootstrap.servers", (Object) started.bootstrap()))) {
                // a job that comes before anything has been read
                assertThat(create(http)).isEqualTo(TOPIC);
                send(producer, "first", "");
                Eventually.until("it is in", () -> depth(http).equals("1"));
                // its own bound holds, and what there is no room for stays in the topic
                configure(http, "block", 3);
                for (int i = 0; i < 10; i++) send(producer, "more", "");
                Eventually.until("it is full", () -> depth(http).equals("3"));
                complete(http);
                complete(http);
                Eventually.until("two more came in", () -> depth(http).equals("3"));
                assertThat(http.get("/ojs/v1/queues/email").text("/rejected")).isEqualTo("0");
                configure(http, "block", 100);
                Eventually.until("all are in", () -> depth(http).equals("9"));
                Eventually.until("no lag is left", () -> committed(admin) == 11);
                // what is no job is announced where its producer has put it
                long wrong = send(producer, null, "{\"type\":").offset();
                Eventually.until("it is announced", () -> rejections(http).contains("\"offset\":%d,".formatted(wrong)));
                assertThat(rejections(http)).contains("\"log\":\"%s/0\"".formatted(TOPIC));
                // the queue goes, its topic stays, and another queue of that name uses it
                http.delete("/ojs/v1/queues/email?strategy=discard");
                Eventually.until("it is gone", () -> http.statusOf("/ojs/v1/queues/email") == 404);
                assertThat(create(http)).isEqualTo(TOPIC);
                send(producer, "again", "");
                Eventually.until("it is in", () -> depth(http).equals("1"));
            }
        }
    }

    @Test
    void what_stands_in_a_topic_comes_in_once_after_a_restart() throws Exception {
        try (var running = new Running()) {
            Standalone started = Standalone.start(StandaloneConfig.in(data), running);
            var http = new HttpApi(started.port());
            create(http);
            configure(http, "block", 5);
            try (var producer = producer(started.bootstrap())) {
                for (int i = 0; i < 20; i++) send(producer, "job", "");
            }
            Eventually.until("it is full", () -> depth(http).equals("5"));
        }
        try (var running = new Running()) {
            Standalone started = Standalone.start(StandaloneConfig.in(data), running);
            var http = new HttpApi(started.port());
            configure(http, "block", 1_000);
            Eventually.until("all are in", () -> depth(http).equals("20"));
            try (var producer = producer(started.bootstrap())) {
                send(producer, "last", "");
            }
            Eventually.until("nothing came twice", () -> depth(http).equals("21"));
        }
    }

    @Test
    void a_job_that_comes_by_http_is_written_to_the_topic_of_its_queue() throws Exception {
        try (var running = new Running()) {
            Standalone started = Standalone.start(StandaloneConfig.in(data), running);
            var http = new HttpApi(started.port());
            create(http);
            try (var admin = Admin.create(Map.of("bootstrap.servers", (Object) started.bootstrap()))) {
                // bounds are exact on this way
                configure(http, "reject", 10_000);
                long before = written(admin);
                int depth = Integer.parseInt(depth(http));
                configure(http, "reject", depth + 2);
                assertThat(enqueue(http)).isEqualTo(201);
                assertThat(enqueue(http)).isEqualTo(201);
                assertThat(enqueue(http)).isEqualTo(429);
                assertThat(written(admin))
                        .as("what seems to have no room is not written")
                        .isEqualTo(before + 2);
                assertThat(depth(http)).isEqualTo(Integer.toString(depth + 2));
                complete(http);
                assertThat(enqueue(http)).as("told room is there at once").isEqualTo(201);
                // a job with an id of its producer's is stored once
                configure(http, "drop_oldest", depth + 2);
                String job =
                        "{\"id\":\"019539a4-b68c-7def-8000-1a2b3c4d5e6f\",\"type\":\"x\",\"args\":[],\"queue\":\"email\"}";
                before = written(admin);
                assertThat(http.statusOfPost("/ojs/v1/jobs", job)).isEqualTo(201);
                assertThat(http.statusOfPost("/ojs/v1/jobs", job)).isEqualTo(409);
                assertThat(written(admin)).isEqualTo(before + 2);
                assertThat(depth(http)).isEqualTo(Integer.toString(depth + 2));
                // a queue can do without
                http.put("/ojs/v1/queues/email/config", "{\"enqueue_through\":\"commands\"}");
                before = written(admin);
                assertThat(enqueue(http)).isEqualTo(201);
                assertThat(written(admin)).isEqualTo(before);
            }
        }
    }

    @Test
    void jobs_by_http_are_all_that_the_topic_has_from_the_first_one_on_also_after_a_restart() throws Exception {
        int jobs = 5;
        for (int start = 1; start <= 2; start++) {
            try (var running = new Running()) {
                Standalone started = Standalone.start(StandaloneConfig.in(data), running);
                var http = new HttpApi(started.port());
                Eventually.until("it is ready", () -> http.statusOf("/ready") == 200);
                if (start == 1) isReadAtOnce(http, "email");
                for (int i = 0; i < jobs; i++) assertThat(enqueue(http)).isEqualTo(201);
                assertThat(depth(http)).isEqualTo(Integer.toString(start * jobs));
                try (var admin = Admin.create(Map.of("bootstrap.servers", (Object) started.bootstrap()))) {
                    assertThat(written(admin)).isEqualTo((long) start * jobs);
                }
            }
        }
    }

    @Test
    void the_topics_of_queues_that_are_made_one_after_the_other_are_read_at_once_also_after_a_reset() throws Exception {
        try (var running = new Running()) {
            Standalone started = Standalone.start(StandaloneConfig.in(data), running);
            var http = new HttpApi(started.port());
            for (String queue : new String[] {"a", "b", "c", "d", "e"}) isReadAtOnce(http, queue);
            http.post("/ojs/v1/admin/reset", "");
            isReadAtOnce(http, "a");
        }
    }

    /** Makes a queue. The server waits until its topic is read, and says so if that takes too long. */
    private static void isReadAtOnce(HttpApi http, String queue) throws Exception {
        assertThat(http.post("/ojs/v1/queues", "{\"name\":\"%s\"}".formatted(queue))
                        .text("/topic_pending"))
                .isEmpty();
    }

    @Test
    void a_batch_of_600_jobs_waits_until_a_full_queue_has_room() throws Exception {
        try (var running = new Running()) {
            Standalone started = Standalone.start(StandaloneConfig.in(data), running);
            var http = new HttpApi(started.port());
            create(http);
            configure(http, "block", 1_000);
            assertThat(http.statusOfPost("/ojs/v1/jobs/batch", batch(1_000))).isEqualTo(201);
            CompletableFuture<Integer> waiting = new CompletableFuture<>();
            Thread.ofVirtual().start(() -> {
                try {
                    waiting.complete(http.statusOfPost("/ojs/v1/jobs/batch", batch(600), "OJS-Block-Timeout", "30"));
                } catch (Exception failure) {
                    waiting.completeExceptionally(failure);
                }
            });
            Eventually.until(
                    "it waits",
                    () -> http.get("/ojs/v1/queues/email").text("/blocked").equals("1"));
            long since = System.nanoTime();
            Duration ofRequests = GatewayConfig.DEFAULT_REQUEST_TIMEOUT;
            Eventually.until(
                    "it has waited for longer than a request may take",
                    () -> System.nanoTime() - since > ofRequests.toNanos());
            assertThat(waiting).isNotDone();
            for (int i = 0; i < 6; i++) complete(http, 100);
            assertThat(waiting.get(20, TimeUnit.SECONDS)).isEqualTo(201);
            assertThat(depth(http)).isEqualTo("1000");
        }
    }

    private static String batch(int jobs) {
        String job = "{\"type\":\"x\",\"args\":[],\"queue\":\"email\"}";
        return "{\"jobs\":[" + String.join(",", Collections.nCopies(jobs, job)) + "]}";
    }

    private static int enqueue(HttpApi http) throws Exception {
        return http.statusOfPost("/ojs/v1/jobs", "{\"type\":\"x\",\"args\":[],\"queue\":\"email\"}");
    }

    /** How many records the topic has had. */
    private static long written(Admin admin) throws Exception {
        TopicPartition partition = new TopicPartition(TOPIC, 0);
        return admin.listOffsets(Map.of(partition, OffsetSpec.latest()))
                .partitionResult(partition)
                .get(20, TimeUnit.SECONDS)
                .offset();
    }

    private static KafkaProducer<byte[], byte[]> producer(String bootstrap) {
        return new KafkaProducer<>(
                Map.of("bootstrap.servers", bootstrap), new ByteArraySerializer(), new ByteArraySerializer());
    }

    private static org.apache.kafka.clients.producer.RecordMetadata send(
            KafkaProducer<byte[], byte[]> producer, String type, String raw) throws Exception {
        String job = type == null ? raw : "{\"type\":\"%s\",\"args\":[]}".formatted(type);
        return producer.send(new ProducerRecord<>(TOPIC, job.getBytes(UTF_8))).get(30, TimeUnit.SECONDS);
    }

    private static String create(HttpApi http) throws Exception {
        return http.post("/ojs/v1/queues", "{\"name\":\"email\"}").text("/topic");
    }

    private static void configure(HttpApi http, String strategy, int depth) throws Exception {
        http.put(
                "/ojs/v1/queues/email/config",
                "{\"backpressure\":{\"max_depth\":%d,\"strategy\":\"%s\"}}".formatted(depth, strategy));
    }

    private static String depth(HttpApi http) throws Exception {
        return http.get("/ojs/v1/queues/email").text("/depth");
    }

    private static void complete(HttpApi http) throws Exception {
        complete(http, 1);
    }

    private static void complete(HttpApi http, int jobs) throws Exception {
        var fetched = http.post("/ojs/v1/workers/fetch", "{\"queues\":[\"email\"],\"count\":%d}".formatted(jobs))
                .body()
                .at("/jobs");
        assertThat(fetched).hasSize(jobs);
        for (var job : fetched)
            http.post(
                    "/ojs/v1/workers/ack",
                    "{\"job_id\":\"%s\"}".formatted(job.at("/id").asString()));
    }

    private static long committed(Admin admin) throws Exception {
        var offsets = admin.listConsumerGroupOffsets(Namespace.NONE.ingressesGroup())
                .partitionsToOffsetAndMetadata()
                .get(20, TimeUnit.SECONDS);
        var offset = offsets.get(new TopicPartition(TOPIC, 0));
        return offset == null ? -1 : offset.offset();
    }

    private static String rejections(HttpApi http) throws Exception {
        return http.get("/ojs/v1/events?types=floodgate.record_rejected").body().toString();
    }
}
