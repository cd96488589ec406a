package io.floodgate.standalone;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Schemas of job arguments, from end to end (OJS schema registry). */
@Tag("server")
final class JobSchemasTest {
    private static final String TYPE = "invoice.generate";
    private static final String FIRST = """
            {"type":"array","maxItems":1,"prefixItems":[{"type":"object","required":["customer_id","amount"],
            "properties":{"customer_id":{"type":"string"},"amount":{"type":"integer"}}}]}""";
    private static final String SECOND = """
            {"type":"array","maxItems":1,"prefixItems":[{"type":"object","required":["customer_id","amount","currency"],
            "properties":{"customer_id":{"type":"string"},"amount":{"type":"integer"},
            "currency":{"type":"string","pattern":"^[A-Z]{3}$"}}}]}""";
    private static final String OLD = "[{\"customer_id\":\"c\",\"amount\":5}]";
    private static final String NEW = "[{\"customer_id\":\"c\",\"amount\":5,\"currency\":\"USD\"}]";

    @TempDir
    Path data;

    private static void register(HttpApi http, String version, String schema) throws Exception {
        http.put("/ojs/v1/admin/schemas/%s/%s".formatted(TYPE, version), "{\"schema\":%s}".formatted(schema));
    }

    private static String job(String args, String version) {
        return "{\"type\":\"%s\",\"version\":\"%s\",\"args\":%s,\"queue\":\"billing\"}".formatted(TYPE, version, args);
    }

    private static int statusOf(HttpApi http, String args, String version) throws Exception {
        return http.statusOfPost("/ojs/v1/jobs", job(args, version));
    }

    private static String fetched(HttpApi http, String range) throws Exception {
        return http.post(
                        "/ojs/v1/workers/fetch",
                        "{\"queues\":[\"billing\"],\"count\":1,\"accept_versions\":{\"%s\":\"%s\"}}"
                                .formatted(TYPE, range))
                .text("/jobs/0/version");
    }

    /** The steps of docs/how-to/check-jobs-by-schema.md. */
    @Test
    void a_schema_is_upgraded_while_old_and_new_producers_and_workers_run() throws Exception {
        try (var running = new Running()) {
            var http = new HttpApi(
                    Standalone.start(StandaloneConfig.in(data), running).port());
            register(http, "1.0", FIRST);
            // warn first: nothing that runs today is rejected
            assertThat(http.post("/ojs/v1/jobs", job("[{\"amount\":5}]", "1.0")).text("/warnings/0"))
                    .contains("customer_id");
            assertThat(fetched(http, "1.x")).isEqualTo("1.0");
            http.put("/ojs/v1/queues/billing/config", "{\"schema_validation\":\"reject\"}");
            assertThat(statusOf(http, "[{\"amount\":5}]", "1.0")).isEqualTo(400);
            // a breaking change is no minor version
            assertThat(http.get("/ojs/v1/admin/schemas/" + TYPE).text("/version"))
                    .isEqualTo("1.0");
            register(http, "2.0", SECOND);
            // old and new producers, each by its own schema
            assertThat(statusOf(http, OLD, "1.0")).isEqualTo(201);
            assertThat(statusOf(http, NEW, "2.0")).isEqualTo(201);
            assertThat(statusOf(http, OLD, "2.0")).isEqualTo(400);
            // old and new workers, each its own version
            assertThat(fetched(http, "2.x")).isEqualTo("2.0");
            assertThat(fetched(http, "2.x")).isEmpty();
            assertThat(fetched(http, "1.x")).isEqualTo("1.0");
            // the old version goes: it is not checked any more
            http.delete("/ojs/v1/admin/schemas/%s/1.0".formatted(TYPE));
            assertThat(statusOf(http, "[{}]", "1.0")).isEqualTo(201);
            assertThat(statusOf(http, OLD, "2.0")).isEqualTo(400);
        }
        try (var running = new Running()) {
            var http = new HttpApi(
                    Standalone.start(StandaloneConfig.in(data), running).port());
            assertThat(statusOf(http, OLD, "2.0")).isEqualTo(400);
            assertThat(http.get("/ojs/v1/schemas/urn%3Aojs%3Aschema%3Ainvoice.generate%3Av2.0")
                            .text("/schema/version"))
                    .isEqualTo("2.0");
        }
    }

    @Test
    void jobs_of_kafka_clients_are_checked_as_well() throws Exception {
        try (var running = new Running()) {
            Standalone started = Standalone.start(StandaloneConfig.in(data), running);
            var http = new HttpApi(started.port());
            register(http, "1", FIRST);
            http.post("/ojs/v1/queues", "{\"name\":\"billing\",\"config\":{\"schema_validation\":\"reject\"}}");
            try (var producer = new KafkaProducer<>(
                    Map.of("bootstrap.servers", started.bootstrap()),
                    new ByteArraySerializer(),
                    new ByteArraySerializer())) {
                send(producer, job("[{}]", "1"));
                send(producer, job(OLD, "1"));
                Eventually.until(
                        "the wrong one is announced",
                        () -> events(http, "floodgate.record_rejected").contains("schema_validation"));
                Eventually.until("the other one is in", () -> depth(http).equals("1"));
                http.put("/ojs/v1/queues/billing/config", "{\"schema_validation\":\"warn\"}");
                send(producer, job("[{}]", "1"));
                Eventually.until("both are in", () -> depth(http).equals("2"));
                Eventually.until(
                        "it is announced",
                        () -> events(http, "job.schema_mismatch").contains("customer_id"));
            }
        }
    }

    private static void send(KafkaProducer<byte[], byte[]> producer, String job) throws Exception {
        producer.send(new ProducerRecord<>("ojs.queue.billing", job.getBytes(UTF_8)))
                .get(30, TimeUnit.SECONDS);
    }

    private static String events(HttpApi http, String type) throws Exception {
        return http.get("/ojs/v1/events?types=" + type).body().toString();
    }

    private static String depth(HttpApi http) throws Exception {
        return http.get("/ojs/v1/queues/billing").text("/depth");
    }
}
