package io.floodgate.standalone;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.floodgate.gateway.GatewayConfig;
import io.floodgate.gateway.GatewayConfig.Access;
import io.floodgate.gateway.GatewayLimits;
import io.floodgate.gateway.access.ApiKey;
import io.floodgate.gateway.access.KeyFile;
import io.floodgate.gateway.access.KeySecret;
import io.floodgate.gateway.access.Scope;
import io.floodgate.gateway.queue.QueueTopics;
import io.floodgate.processor.ProcessorConfig.Logs;
import io.floodgate.standalone.broker.BrokerConfig;
import io.floodgate.topics.Topics;
import io.floodgate.topics.command.Identity;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** Keys at a whole server: what is hidden from them is hidden by the partition, and no key is ever found in what is kept. */
@Tag("server")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class WhoMayTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String NO_JOB = "019539a4-b68c-7def-8000-1a2b3c4d5e6f";
    private static final Logger ROOT = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);

    @TempDir
    static Path data;

    private final HttpClient client = HttpClient.newHttpClient();
    private final Running running = new Running();
    private final List<ApiKey> keys = new ArrayList<>();
    private final List<String> secrets = new ArrayList<>();
    private final ListAppender<ILoggingEvent> logged = new ListAppender<>();
    private final String all = key("ops", Set.copyOf(Scope.OF_KEYS), null, null);
    private final String mine = key("mine", Set.copyOf(Scope.OF_KEYS), List.of("mine.*"), null);
    private final String acme = key("acme", Set.of(Scope.PRODUCE, Scope.OBSERVE), null, "acme");
    private final String billing = key("billing", Set.of(Scope.PRODUCE), null, null);
    private Standalone started;

    private String key(String name, Set<Scope> scopes, List<String> queues, String tenant) {
        KeySecret secret = KeySecret.make(new SecureRandom());
        keys.add(new ApiKey(secret.id(), secret.hash(), scopes, new Identity(name, queues, tenant), null));
        secrets.add(secret.reveal());
        return secret.reveal();
    }

    @BeforeAll
    void start() throws Exception {
        logged.list = new CopyOnWriteArrayList<>();
        logged.start();
        ROOT.addAppender(logged);
        ((Logger) LoggerFactory.getLogger("io.floodgate")).setLevel(Level.TRACE);
        Path file = data.resolve("keys.json");
        new KeyFile(file).write(keys);
        var http = new HttpConfig(
                "127.0.0.1",
                0,
                false,
                GatewayConfig.DEFAULT_WAIT,
                Duration.ZERO,
                new Access(List.of(), List.of(), Optional.of(file), Optional.empty()),
                GatewayLimits.ofHeap(),
                QueueTopics.Settings.DEFAULT,
                WebhookSettings.DEFAULT);
        var broker = new BrokerConfig(data.resolve("kafka"), 0, Optional.empty(), Map.of());
        started = Standalone.start(
                new StandaloneConfig(broker, data.resolve("streams"), 8, 1, Logs.DEFAULT, http, Map.of()), running);
    }

    @AfterAll
    void stop() {
        running.close();
        ((Logger) LoggerFactory.getLogger("io.floodgate")).setLevel(null);
        ROOT.detachAppender(logged);
    }

    private record Got(int status, String body) {
        JsonNode at(String pointer) {
            return JSON.readTree(body).at(pointer);
        }

        /** What differs between any two answers left out. */
        String without(String id) {
            return status + " " + body.replace(id, "ID").replaceAll("req_[0-9a-f-]+", "REQUEST");
        }
    }

    private Got ask(String key, String request, String body) throws Exception {
        String[] line = request.split(" ", 2);
        HttpRequest.Builder builder = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:%d/ojs/v1%s".formatted(started.port(), line[1])))
                .method(line[0], body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                .header("Authorization", "Bearer " + key);
        if (body != null) builder.header("Content-Type", "application/json");
        HttpResponse<String> response = client.send(builder.build(), BodyHandlers.ofString());
        return new Got(response.statusCode(), response.body());
    }

    private String enqueued(String key, String queue, String more) throws Exception {
        Got got = ask(key, "POST /jobs", "{\"type\":\"a\",\"args\":[],\"queue\":\"%s\"%s}".formatted(queue, more));
        assertThat(got.status()).as(got.body()).isEqualTo(201);
        return got.at("/job/id").asString();
    }

    private static Stream<String> requestsAboutAJob() {
        return Stream.of(
                "GET /jobs/ID",
                "GET /jobs/ID/result",
                "GET /jobs/ID/retries",
                "GET /admin/jobs/ID",
                "GET /dead-letter/ID",
                "DELETE /jobs/ID",
                "POST /jobs/ID/cancel",
                "POST /jobs/ID/activate",
                "POST /jobs/ID/skip",
                "PATCH /jobs/ID",
                "PATCH /admin/jobs/ID",
                "POST /admin/jobs/ID/retry",
                "POST /admin/jobs/ID/cancel",
                "DELETE /admin/jobs/ID",
                "POST /dead-letter/ID/retry",
                "DELETE /dead-letter/ID",
                "POST /admin/dead-letter/ID/retry",
                "DELETE /admin/dead-letter/ID",
                "POST /workers/ack",
                "POST /jobs/ID/ack",
                "POST /workers/nack",
                "POST /jobs/ID/nack",
                "POST /workers/heartbeat");
    }

    private Got about(String id, String request, String key) throws Exception {
        String body = request.startsWith("GET")
                ? null
                : request.startsWith("PATCH")
                        ? "{\"priority\":3}"
                        : request.contains("dead-letter")
                                ? "{}"
                                : "{\"job_id\":\"%1$s\",\"worker_id\":\"w\",\"active_jobs\":[\"%1$s\"],\"error\":{\"type\":\"a\",\"message\":\"b\"}}"
                                        .formatted(id);
        return ask(key, request.replace("ID", id), body);
    }

    @Test
    void a_job_that_is_not_for_a_key_is_answered_like_one_that_is_not_there() throws Exception {
        String waiting = enqueued(all, "other", "");
        String active = enqueued(all, "other.worked", "");
        ask(all, "POST /workers/fetch", "{\"queues\":[\"other.worked\"],\"worker_id\":\"w\"}");
        String cancelled = enqueued(all, "other.done", "");
        ask(all, "DELETE /jobs/" + cancelled, null);
        String before = state(waiting) + state(active) + state(cancelled);
        for (String key : List.of(mine, acme))
            for (String request : requestsAboutAJob().toList()) {
                Got none = about(NO_JOB, request, key);
                for (String id : List.of(waiting, active, cancelled)) {
                    Got hidden = about(id, request, key);
                    String time = "\"server_time\":\"[^\"]*\"";
                    assertThat(hidden.without(id).replaceAll(time, ""))
                            .as(request)
                            .isEqualTo(none.without(NO_JOB).replaceAll(time, ""));
                }
                if (!request.endsWith("heartbeat"))
                    assertThat(none.status()).as(request).isIn(403, 404);
            }
        assertThat(state(waiting) + state(active) + state(cancelled)).isEqualTo(before);
    }

    private String state(String id) throws Exception {
        Got got = ask(all, "GET /jobs/" + id, null);
        return got.at("/job/state").asString() + got.at("/job/priority") + got.at("/job/lease_expires_at");
    }

    @Test
    void jobs_of_its_own_queues_are_there_for_a_key() throws Exception {
        String id = enqueued(mine, "mine.first", "");
        assertThat(ask(mine, "GET /jobs/" + id, null).status()).isEqualTo(200);
        Got fetched = ask(mine, "POST /workers/fetch", "{\"queues\":[\"mine.first\"],\"worker_id\":\"w2\"}");
        assertThat(fetched.at("/jobs/0/id").asString()).isEqualTo(id);
        assertThat(ask(mine, "POST /workers/heartbeat", "{\"worker_id\":\"w2\",\"active_jobs\":[\"%s\"]}".formatted(id))
                        .body())
                .contains("\"jobs_extended\":[\"%s\"]".formatted(id));
        assertThat(ask(mine, "POST /workers/ack", "{\"job_id\":\"%s\"}".formatted(id))
                        .status())
                .isEqualTo(200);
        assertThat(ask(mine, "GET /queues/mine.first", null).status()).isEqualTo(200);
        assertThat(ask(mine, "GET /jobs?queue=mine.first", null)
                        .at("/jobs/0/id")
                        .asString())
                .isEqualTo(id);
    }

    @Test
    void a_key_of_a_tenant_has_its_jobs_and_no_others() throws Exception {
        String own = enqueued(acme, "shared", "");
        String other = enqueued(all, "shared", ",\"meta\":{\"tenant_id\":\"other\"}");
        assertThat(ask(acme, "GET /jobs/" + own, null).at("/job/meta/tenant_id").asString())
                .isEqualTo("acme");
        assertThat(ask(acme, "GET /jobs/" + other, null).status()).isEqualTo(404);
        assertThat(ask(acme, "GET /jobs?queue=shared", null).body())
                .contains(own)
                .doesNotContain(other);
        assertThat(ask(acme, "DELETE /jobs/" + own, null).status()).isEqualTo(200);
    }

    @Test
    void a_queue_takes_jobs_of_the_producers_it_names_and_events_say_whose_they_are() throws Exception {
        assertThat(ask(all, "PUT /queues/bills/config", "{\"producers\":[\"bill*\"]}")
                        .status())
                .isEqualTo(200);
        Got rejected = ask(all, "POST /jobs", "{\"type\":\"a\",\"args\":[],\"queue\":\"bills\"}");
        assertThat(rejected.status()).isEqualTo(403);
        String id = enqueued(billing, "bills", "");
        Eventually.until(
                "the event says whose it is",
                () -> ask(all, "GET /events?channel=job:" + id, null).body().contains("\"by\":\"billing\""));
        assertThat(ask(mine, "GET /events", null).body()).doesNotContain(id);
    }

    @Test
    void no_key_is_in_a_log_a_record_or_a_log_line() throws Exception {
        enqueued(billing, "traced", "");
        ask("fg_aaaaaaaa_" + "x".repeat(43), "GET /queues", null);
        List<String> kept = records();
        logged.list.forEach(line -> kept.add(line.getFormattedMessage() + line.getThrowableProxy()));
        assertThat(kept).hasSizeGreaterThan(10);
        for (String secret : secrets) assertThat(kept).noneMatch(text -> text.contains(secret.substring(12)));
    }

    /** All that stands in the topics that others may read. */
    private List<String> records() {
        List<String> records = new ArrayList<>();
        Map<String, Object> config = Map.of("bootstrap.servers", started.bootstrap());
        try (var consumer = new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            List<TopicPartition> partitions = Stream.of(
                            Topics.COMMANDS, Topics.EVENTS, Topics.REPLIES, Topics.QUEUE_STATUS)
                    .flatMap(topic -> consumer.partitionsFor(topic).stream())
                    .map(one -> new TopicPartition(one.topic(), one.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            while (partitions.stream().anyMatch(one -> consumer.position(one) < ends.get(one)))
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(200))) {
                    StringBuilder text =
                            new StringBuilder(record.value() == null ? "" : new String(record.value(), UTF_8));
                    record.headers()
                            .forEach(header -> text.append(header.key()).append(new String(header.value(), UTF_8)));
                    records.add(text.toString());
                }
        }
        return records;
    }
}
