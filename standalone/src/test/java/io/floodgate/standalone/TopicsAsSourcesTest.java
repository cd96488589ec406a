package io.floodgate.standalone;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Records of any topic become jobs, each once and in order, from end to end. */
@Tag("server")
final class TopicsAsSourcesTest {
    private static final String SOURCES = "/ojs/v1/admin/sources";
    private static final String ORDERS = """
            {"topic":"shop.orders","queue":"orders","dead_letter_topic":"shop.orders.rejected",
             "job":{"type":"order.placed","args":["$.value.id"],"meta":{"customer":"$.key"}}}""";

    @TempDir
    Path data;

    private static KafkaProducer<byte[], byte[]> producer(Standalone started) {
        return new KafkaProducer<>(
                Map.of("bootstrap.servers", started.bootstrap()), new ByteArraySerializer(), new ByteArraySerializer());
    }

    private static void topics(Standalone started, String... names) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", started.bootstrap()))) {
            List<NewTopic> topics = new ArrayList<>();
            for (String name : names) topics.add(new NewTopic(name, Optional.of(3), Optional.empty()));
            admin.createTopics(topics).all().get(30, TimeUnit.SECONDS);
        }
    }

    private static void write(KafkaProducer<byte[], byte[]> producer, int from, int to) throws Exception {
        List<Future<?>> sent = new ArrayList<>();
        for (int i = from; i < to; i++)
            sent.add(producer.send(new ProducerRecord<>(
                    "shop.orders",
                    "customer-%d".formatted(i % 7).getBytes(UTF_8),
                    "{\"id\":%d}".formatted(i).getBytes(UTF_8))));
        for (Future<?> each : sent) each.get(30, TimeUnit.SECONDS);
    }

    private static void hasCome(HttpApi http, String lag) throws Exception {
        Eventually.until("all has come in", () -> {
            JsonNode source = http.get(SOURCES + "/orders").body();
            return source.path("state").asString("").equals("reading")
                    && source.path("lag").asString("").equals(lag);
        });
    }

    private static List<JsonNode> fetchAll(HttpApi http) throws Exception {
        List<JsonNode> jobs = new ArrayList<>();
        while (true) {
            JsonNode some = http.post("/ojs/v1/workers/fetch", "{\"queues\":[\"orders\"],\"count\":100}")
                    .body()
                    .path("jobs");
            if (some.isEmpty()) return jobs;
            some.forEach(jobs::add);
            for (JsonNode job : some)
                http.post(
                        "/ojs/v1/workers/ack",
                        "{\"job_id\":\"%s\"}".formatted(job.path("id").asString()));
        }
    }

    @Test
    void records_become_jobs_once_and_in_order_also_over_a_restart() throws Exception {
        List<JsonNode> jobs = new ArrayList<>();
        try (var running = new Running()) {
            Standalone started = Standalone.start(StandaloneConfig.in(data), running);
            var http = new HttpApi(started.port());
            topics(started, "shop.orders", "shop.orders.rejected");
            try (var producer = producer(started)) {
                write(producer, 0, 500);
                http.put(SOURCES + "/orders", ORDERS);
                write(producer, 500, 700);
                producer.send(new ProducerRecord<>("shop.orders", 1, null, "no json".getBytes(UTF_8)))
                        .get(30, TimeUnit.SECONDS);
                hasCome(http, "0");
            }
            jobs.addAll(fetchAll(http));
            isKept(started);
            isWhatKafkaSays(started, http);
        }
        try (var running = new Running()) {
            Standalone started = Standalone.start(StandaloneConfig.in(data), running);
            var http = new HttpApi(started.port());
            try (var producer = producer(started)) {
                write(producer, 700, 800);
            }
            hasCome(http, "0");
            jobs.addAll(fetchAll(http));
        }
        Set<Integer> ids = new HashSet<>();
        Map<String, Integer> last = new HashMap<>();
        for (JsonNode job : jobs) {
            int id = job.at("/args/0").intValue();
            assertThat(ids.add(id)).as("order %d comes once", id).isTrue();
            String customer = job.at("/meta/customer").asString();
            assertThat(customer).isEqualTo("customer-" + id % 7);
            assertThat(id).as("the order of " + customer).isGreaterThan(last.getOrDefault(customer, -1));
            last.put(customer, id);
            assertThat(job.at("/meta/source/topic").asString()).isEqualTo("shop.orders");
        }
        assertThat(ids).hasSize(800);
    }

    private static void isKept(Standalone started) {
        Map<String, Object> config =
                Map.of("bootstrap.servers", started.bootstrap(), "auto.offset.reset", "earliest", "group.id", "dead");
        try (var consumer = new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.subscribe(List.of("shop.orders.rejected"));
            List<ConsumerRecord<byte[], byte[]>> kept = new ArrayList<>();
            for (int i = 0; i < 60 && kept.isEmpty(); i++)
                consumer.poll(Duration.ofMillis(500)).forEach(kept::add);
            assertThat(kept).hasSize(1);
            assertThat(kept.getFirst().value()).isEqualTo("no json".getBytes(UTF_8));
            assertThat(new String(
                            kept.getFirst()
                                    .headers()
                                    .lastHeader("ojs-source-reason")
                                    .value(),
                            UTF_8))
                    .contains("not well-formed JSON");
        }
    }

    /** The lag that is shown is that of Kafka's own tools, which compare what a group has committed with the end. */
    private static void isWhatKafkaSays(Standalone started, HttpApi http) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", started.bootstrap()))) {
            var committed = admin.listConsumerGroupOffsets("floodgate-ingress")
                    .partitionsToOffsetAndMetadata()
                    .get(30, TimeUnit.SECONDS);
            for (JsonNode row : http.get(SOURCES + "/orders").body().path("partitions"))
                assertThat(committed
                                .get(new TopicPartition(
                                        "shop.orders", row.path("partition").intValue()))
                                .offset())
                        .isEqualTo(row.path("position").longValue());
        }
    }

    @Test
    void a_full_queue_is_lag_and_a_rewind_brings_records_again() throws Exception {
        try (var running = new Running()) {
            Standalone started = Standalone.start(StandaloneConfig.in(data), running);
            var http = new HttpApi(started.port());
            topics(started, "shop.orders", "shop.orders.rejected");
            http.post(
                    "/ojs/v1/queues",
                    "{\"name\":\"orders\",\"config\":{\"max_size\":10,\"overflow_policy\":\"reject\"}}");
            try (var producer = producer(started)) {
                write(producer, 0, 50);
                http.put(SOURCES + "/orders", ORDERS);
                hasCome(http, "40");
                assertThat(http.get("/ojs/v1/queues/orders").text("/depth")).isEqualTo("10");
                Set<Integer> ids = new HashSet<>();
                while (ids.size() < 50)
                    for (JsonNode job : fetchAll(http))
                        assertThat(ids.add(job.at("/args/0").intValue())).isTrue();
                hasCome(http, "0");
                // paused, it is soon read no more: what comes meanwhile is lag
                http.patch(SOURCES + "/orders", "{\"paused\":true}");
                int[] written = {50};
                Eventually.until("it lags", () -> {
                    write(producer, written[0], ++written[0]);
                    return http.get(SOURCES + "/orders").body().path("lag").asInt() >= 20;
                });
                assertThat(http.get(SOURCES + "/orders").text("/state")).isEqualTo("paused");
                assertThat(http.post(SOURCES + "/orders/rewind", "{\"to\":\"earliest\",\"dry_run\":true}")
                                .text("/records"))
                        .isEqualTo(String.valueOf(written[0]));
                http.post(SOURCES + "/orders/rewind", "{\"to\":\"earliest\"}");
                http.patch(SOURCES + "/orders", "{\"paused\":false}");
                Map<Integer, Integer> again = new HashMap<>();
                Eventually.until("all come again", () -> {
                    for (JsonNode job : fetchAll(http))
                        again.merge(job.at("/args/0").intValue(), 1, Integer::sum);
                    return again.size() == written[0];
                });
                // what came in before the pause was noticed was in the queue still
                again.forEach((id, times) -> assertThat(times).isBetween(1, id < 50 ? 1 : 2));
            }
        }
    }
}
