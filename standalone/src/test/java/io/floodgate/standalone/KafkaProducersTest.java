package io.floodgate.standalone;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example for Kafka's console, as {@code kafka-console-producer} would send it, at a queue that is full. */
@Tag("server")
final class KafkaProducersTest {
    private static final Path PAGE = Path.of("../docs/how-to/enqueue-with-kafka-clients.md");
    private static final Pattern EXAMPLE =
            Pattern.compile("<!-- example -->\n```sh\nprintf '(.*)\\\\n' \\|\n.*--topic (\\S+)");

    @TempDir
    Path data;

    @Test
    void a_record_waits_or_is_announced_as_rejected() throws Exception {
        try (var running = new Running()) {
            Standalone started = Standalone.start(StandaloneConfig.in(data), running);
            var http = new HttpApi(started.port());
            try (var producer = producer(started.bootstrap())) {
                configure(http, "block");
                send(producer, exampleWithout("ojs-block-timeout:30"));
                Eventually.until("the first is in", () -> figure(http, "depth").equals("1"));

                send(producer, example());
                Eventually.until(
                        "the second waits", () -> figure(http, "blocked").equals("1"));
                complete(http);
                Eventually.until("it comes in", () -> figure(http, "blocked").equals("0"));
                assertThat(figure(http, "depth")).isEqualTo("1");

                configure(http, "reject");
                RecordMetadata rejected = send(producer, example());
                Eventually.until(
                        "it is announced", () -> rejections(http).contains("\"offset\":" + rejected.offset() + ","));
                assertThat(rejections(http))
                        .contains("\"log\":\"ojs.commands/%d\"".formatted(rejected.partition()))
                        .contains("\"code\":\"QUEUE_FULL\"");
                assertThat(figure(http, "depth")).isEqualTo("1");
            }
        }
    }

    private static KafkaProducer<String, byte[]> producer(String bootstrap) {
        return new KafkaProducer<>(
                Map.of("bootstrap.servers", bootstrap), new StringSerializer(), new ByteArraySerializer());
    }

    private static RecordMetadata send(KafkaProducer<String, byte[]> producer, ProducerRecord<String, byte[]> record)
            throws Exception {
        return producer.send(record).get(30, TimeUnit.SECONDS);
    }

    /** The line of the page, read as the console reads it: headers, key and value, with tabs between them. */
    private static ProducerRecord<String, byte[]> example() throws Exception {
        return exampleWithout("");
    }

    private static ProducerRecord<String, byte[]> exampleWithout(String header) throws Exception {
        var example =
                EXAMPLE.matcher(Files.readString(PAGE)).results().findFirst().orElseThrow();
        String[] parts = example.group(1).split(Pattern.quote("\\t"), 3);
        ProducerRecord<String, byte[]> record =
                new ProducerRecord<>(example.group(2), parts[1], parts[2].getBytes(UTF_8));
        for (String each : parts[0].split(",", -1)) {
            if (each.equals(header)) continue;
            String[] named = each.split(":", 2);
            record.headers().add(named[0], named[1].getBytes(UTF_8));
        }
        return record;
    }

    private static void configure(HttpApi http, String strategy) throws Exception {
        http.put(
                "/ojs/v1/queues/email/config",
                "{\"backpressure\":{\"max_depth\":1,\"strategy\":\"%s\"}}".formatted(strategy));
    }

    private static String figure(HttpApi http, String name) throws Exception {
        return http.get("/ojs/v1/queues/email").text("/" + name);
    }

    private static void complete(HttpApi http) throws Exception {
        String id =
                http.post("/ojs/v1/workers/fetch", "{\"queues\":[\"email\"]}").text("/jobs/0/id");
        http.post("/ojs/v1/workers/ack", "{\"job_id\":\"%s\"}".formatted(id));
    }

    private static String rejections(HttpApi http) throws Exception {
        return http.get("/ojs/v1/events?types=floodgate.record_rejected").body().toString();
    }
}
