package io.floodgate.standalone;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Outcomes of jobs become records of any topic, from end to end. */
@Tag("server")
final class OutcomesToTopicsTest {
    private static final String SINKS = "/ojs/v1/admin/sinks/";
    private static final int PARTITIONS = 3;

    @TempDir
    static Path data;

    private static final Running RUNNING = new Running();
    private static String bootstrap = "";
    private static HttpApi http = new HttpApi(0);

    @BeforeAll
    static void start() throws Exception {
        Standalone started = Standalone.start(StandaloneConfig.in(data), RUNNING);
        bootstrap = started.bootstrap();
        http = new HttpApi(started.port());
        // The first one is noticed late.
        http.put(SINKS + "all", "{\"topic\":\"shop.all\",\"outcomes\":[\"completed\"]}");
        makeTopics("shop.all", "shop.results", "shop.orders", "shop.dead", "shop.paused");
    }

    @AfterAll
    static void stop() {
        RUNNING.close();
    }

    private static void makeTopics(String... names) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
            List<NewTopic> topics = new ArrayList<>();
            for (String name : names) topics.add(new NewTopic(name, Optional.of(PARTITIONS), Optional.empty()));
            admin.createTopics(topics).all().get(30, TimeUnit.SECONDS);
        }
    }

    /** Returns the committed records of the topic once they are as expected, and, as far as they came by then, no others. */
    private static List<ConsumerRecord<String, String>> records(
            String topic, Predicate<List<ConsumerRecord<String, String>>> expected) throws Exception {
        Map<String, Object> config = Map.of(
                "bootstrap.servers", bootstrap, "isolation.level", "read_committed", "auto.offset.reset", "earliest");
        try (var consumer = new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer())) {
            List<TopicPartition> partitions = new ArrayList<>();
            for (int i = 0; i < PARTITIONS; i++) partitions.add(new TopicPartition(topic, i));
            consumer.assign(partitions);
            List<ConsumerRecord<String, String>> all = new ArrayList<>();
            Eventually.until("the records of " + topic + " are there", () -> {
                consumer.poll(Duration.ofMillis(100)).forEach(all::add);
                return expected.test(all);
            });
            return all;
        }
    }

    private static String enqueue(String queue, String more) throws Exception {
        return http.post("/ojs/v1/jobs", "{\"type\":\"t\",\"args\":[],\"queue\":\"%s\"%s}".formatted(queue, more))
                .text("/job/id");
    }

    private static void fetch(String queue) throws Exception {
        Eventually.until(
                "a job of " + queue,
                () -> !http.post("/ojs/v1/workers/fetch", "{\"queues\":[\"%s\"]}".formatted(queue))
                        .body()
                        .path("jobs")
                        .isEmpty());
    }

    private static void complete(String job, String result) throws Exception {
        http.post("/ojs/v1/workers/ack", "{\"job_id\":\"%s\",\"result\":%s}".formatted(job, result));
    }

    private static void isWritten(String sink) throws Exception {
        Eventually.until("all is written", () -> {
            JsonNode shown = http.get(SINKS + sink).body();
            return shown.path("state").asString("").equals("writing")
                    && shown.path("lag").asInt(-1) == 0;
        });
    }

    private static String header(ConsumerRecord<String, String> record, String name) {
        return new String(record.headers().lastHeader(name).value(), UTF_8);
    }

    @Test
    void each_outcome_is_one_record_in_order_by_job() throws Exception {
        http.put(
                SINKS + "results",
                "{\"topic\":\"shop.results\",\"queues\":[\"orders\"],"
                        + "\"outcomes\":[\"completed\",\"failed\",\"discarded\",\"cancelled\"]}");
        String large = "\"" + "x".repeat(10_000) + "\"";
        String completed = enqueue("orders", ",\"order_key\":\"customer-1\"");
        fetch("orders");
        complete(completed, large);
        String failing = enqueue("orders", ",\"retry\":{\"max_attempts\":2,\"initial_interval\":\"PT0.01S\"}");
        for (int i = 0; i < 2; i++) {
            fetch("orders");
            http.post(
                    "/ojs/v1/workers/nack",
                    "{\"job_id\":\"%s\",\"error\":{\"type\":\"a\",\"message\":\"no stock\"}}".formatted(failing));
        }
        String cancelled = enqueue("orders", ",\"scheduled_at\":\"2099-01-01T00:00:00Z\"");
        http.delete("/ojs/v1/jobs/" + cancelled);
        enqueue("others", "");
        fetch("others");

        isWritten("results");
        var all = records("shop.results", found -> found.size() >= 5);
        assertThat(all).hasSize(5);
        var first = all.stream()
                .filter(record -> header(record, "ojs-job-id").equals(completed))
                .toList();
        assertThat(first).hasSize(1);
        assertThat(first.getFirst().key()).isEqualTo("customer-1");
        assertThat(first.getFirst().value()).isEqualTo(large);
        assertThat(header(first.getFirst(), "ojs-outcome")).isEqualTo("completed");
        assertThat(header(first.getFirst(), "ojs-queue")).isEqualTo("orders");
        assertThat(header(first.getFirst(), "ojs-job-type")).isEqualTo("t");
        assertThat(all.stream()
                        .filter(record -> failing.equals(record.key()))
                        .map(record -> header(record, "ojs-outcome")))
                .containsExactly("failed", "failed", "discarded");
        assertThat(all.stream()
                        .filter(record -> failing.equals(record.key()))
                        .toList()
                        .getLast()
                        .value())
                .contains("\"type\":\"job.discarded\"", "no stock");
        assertThat(all.stream()
                        .filter(record -> cancelled.equals(record.key()))
                        .map(record -> header(record, "ojs-outcome")))
                .containsExactly("cancelled");
        assertThat(http.text("/metrics")).contains("floodgate_sink_records_total{sink=\"results\"}");
    }

    @Test
    void what_was_done_goes_back_to_the_topic_that_it_came_from() throws Exception {
        http.put(
                "/ojs/v1/admin/sources/dead",
                "{\"topic\":\"shop.dead\",\"queue\":\"dead\",\"value\":\"text\",\"job\":{\"type\":\"mend\","
                        + "\"args\":[\"$.value\"],\"meta\":{\"topic\":\"$.headers.origin\",\"key\":\"$.key\"}}}");
        http.put(SINKS + "back", """
                {"topic":"$.meta.topic","topics":["shop.o*"],"queues":["dead"],"outcomes":["completed"],"value":"text",
                 "record":{"key":"$.meta.key","value":"$.args[0]","headers":{"mended-by":"$.result.by?"}}}""");
        try (var producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", bootstrap), new StringSerializer(), new StringSerializer())) {
            for (String origin : List.of("shop.orders", "ojs.commands", "shop.dead", "shop.orders"))
                producer.send(new ProducerRecord<>(
                                "shop.dead",
                                0,
                                null,
                                "key of " + origin,
                                "no { json",
                                Set.of(new RecordHeader("origin", origin.getBytes(UTF_8)))))
                        .get(30, TimeUnit.SECONDS);
        }
        List<String> jobs = new ArrayList<>();
        Eventually.until("all jobs", () -> {
            http.post("/ojs/v1/workers/fetch", "{\"queues\":[\"dead\"],\"count\":10}")
                    .body()
                    .path("jobs")
                    .forEach(job -> jobs.add(job.path("id").asString()));
            return jobs.size() == 4;
        });
        for (String job : jobs) complete(job, "{\"by\":\"ada\"}");

        Eventually.until(
                "what may not be written is left out",
                () -> http.get(SINKS + "back").text("/skipped").equals("2"));
        assertThat(http.get(SINKS + "back").text("/last_skip")).contains("none of the topics");
        isWritten("back");
        var all = records("shop.orders", found -> found.size() >= 2);
        assertThat(all).hasSize(2).allSatisfy(record -> {
            assertThat(record.key()).isEqualTo("key of shop.orders");
            assertThat(record.value()).isEqualTo("no { json");
            assertThat(header(record, "mended-by")).isEqualTo("ada");
            assertThat(record.headers().lastHeader("ojs-job-id")).isNull();
        });
    }

    @Test
    void a_sink_that_cannot_write_stops_alone_and_says_why() throws Exception {
        http.put(SINKS + "missing", "{\"topic\":\"shop.missing\",\"queues\":[\"alone\"]}");
        String job = enqueue("alone", "");
        fetch("alone");
        complete(job, "7");
        records("shop.all", found -> found.stream().anyMatch(record -> job.equals(record.key())));
        Eventually.until(
                "it fails", () -> http.get(SINKS + "missing").text("/state").equals("failing"));
        assertThat(http.get(SINKS + "missing").text("/error")).isEqualTo("There is no topic 'shop.missing'.");
        makeTopics("shop.missing");
        isWritten("missing");
        var all = records("shop.missing", found -> !found.isEmpty());
        assertThat(all).hasSize(1);
        assertThat(all.getFirst().value()).isEqualTo("7");
        assertThat(http.get(SINKS + "missing").body().has("error")).isFalse();
    }

    @Test
    void a_paused_sink_writes_later_and_a_rewind_writes_again() throws Exception {
        http.put(SINKS + "paused", "{\"topic\":\"shop.paused\",\"queues\":[\"later\"],\"paused\":true}");
        String job = enqueue("later", "");
        fetch("later");
        complete(job, "1");
        assertThat(http.get(SINKS + "paused").text("/state")).isEqualTo("paused");
        http.patch(SINKS + "paused", "{\"paused\":false}");
        records("shop.paused", found -> found.size() == 1);
        assertThat(http.post(SINKS + "paused/rewind", "{\"to\":\"earliest\",\"dry_run\":true}")
                        .body()
                        .path("events")
                        .asInt())
                .isPositive();
        http.post(SINKS + "paused/rewind", "{\"to\":\"earliest\"}");
        records("shop.paused", found -> found.size() == 2);
        http.delete(SINKS + "paused");
        // What another sink of this name is to get is what comes from now on.
        http.put(SINKS + "paused", "{\"topic\":\"shop.paused\",\"queues\":[\"later\"]}");
        isWritten("paused");
        String next = enqueue("later", "");
        fetch("later");
        complete(next, "2");
        var all = records("shop.paused", found -> found.stream().anyMatch(record -> next.equals(record.key())));
        assertThat(all).hasSize(3);
    }
}
