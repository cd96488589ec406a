package io.floodgate.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What Prometheus finds in each role, started as users start it; {@code up} has the broker for the others. */
@Tag("server")
final class MetricsOfRolesTest {
    private static final String JVM = "jvm_memory_used_bytes";
    private static final String PROCESS = "process_cpu_usage";
    private static final String GATEWAY = "ojs_queues";
    private static final String PROCESSOR = "floodgate_processor_running";
    private static final String WORKER = "ojs_worker_permits";
    private static final String STREAMS = "kafka_stream_thread_commit_total";
    private static final String PRODUCER = "kafka_producer_record_send_total";
    private static final String CONSUMER = "kafka_consumer_fetch_manager_records_consumed_total";

    private static final Path PAGE = Path.of("../docs/reference/metrics.md");
    private static final Path WORKERS_PAGE = Path.of("../docs/reference/java-worker.md");
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir
    Path data;

    private final List<Thread> roles = new ArrayList<>();

    @Test
    void metrics_of_every_role_have_those_of_its_jvm_and_its_kafka_clients() throws Exception {
        try (var running = new Running()) {
            var up = Standalone.start(StandaloneConfig.in(data), running);
            running.add("other roles", this::stop);
            int gateway = start(up, "gateway", "--port");
            int worker = start(up, "worker", "--metrics-port");
            int processor =
                    start(up, "processor", "--data", data.resolve("second").toString(), "--metrics-port");

            for (int port : List.of(up.port(), gateway))
                Eventually.until("an event has come", () -> {
                    // A gateway counts what happens after its start.
                    new HttpApi(up.port())
                            .answerTo("/ojs/v1/jobs", "{\"type\":\"email.send\",\"args\":[\"ada@example.com\"]}");
                    return has(port, "ojs_job_completed_total");
                });
            Eventually.until("it owns logs", () -> has(processor, "floodgate_processor_partition_position"));
            Eventually.until("it takes jobs", () -> has(worker, "ojs_worker_running"));

            assertThat(shown(gateway))
                    .contains(JVM, PROCESS, PRODUCER, CONSUMER, GATEWAY)
                    .doesNotContain(STREAMS, PROCESSOR, WORKER);
            assertThat(shown(worker))
                    .contains(JVM, PROCESS, PRODUCER, CONSUMER, WORKER)
                    .doesNotContain(STREAMS, PROCESSOR, GATEWAY);
            assertThat(shown(processor))
                    .contains(JVM, PROCESS, PRODUCER, CONSUMER, STREAMS, PROCESSOR)
                    .doesNotContain(WORKER, GATEWAY);
            assertThat(shown(up.port()))
                    .contains(JVM, PROCESS, PRODUCER, CONSUMER, STREAMS, PROCESSOR, GATEWAY)
                    .containsAll(kafkaMetricsOfThePage());
            for (int port : List.of(up.port(), gateway, worker, processor)) areDocumented(shown(port));
            for (int port : List.of(up.port(), gateway, worker, processor))
                assertThat(new HttpApi(port).text("/metrics")).doesNotContain("partition=", "node_id=", "task_id=");
            assertThat(new HttpApi(worker).get("/ready").text("/state")).isEqualTo("running");
        }
    }

    /** @param flags the last of which takes the port */
    private int start(Standalone up, String role, String... flags) throws IOException {
        int port = Ports.free();
        List<String> arguments = new ArrayList<>(List.of(role, "--bootstrap", up.bootstrap()));
        arguments.addAll(List.of(flags));
        arguments.add(String.valueOf(port));
        roles.add(Thread.ofPlatform().start(() -> Floodgate.run(arguments, Map.of())));
        return port;
    }

    private void stop() throws InterruptedException {
        roles.forEach(Thread::interrupt);
        for (Thread role : roles) assertThat(role.join(PATIENCE)).isTrue();
    }

    private static boolean has(int port, String metric) throws InterruptedException {
        try {
            return shown(port).contains(metric);
        } catch (IOException notYet) {
            return false;
        }
    }

    private static List<String> kafkaMetricsOfThePage() throws IOException {
        return Pattern.compile("`(kafka_[a-z_]+)`")
                .matcher(Files.readString(PAGE))
                .results()
                .map(found -> found.group(1))
                .toList();
    }

    /** Our own: in the list of metrics, or as meters of the library for workers. */
    private static void areDocumented(Set<String> metrics) throws IOException {
        String pages = Files.readString(PAGE) + Files.readString(WORKERS_PAGE).replace('.', '_');
        assertThat(metrics)
                .filteredOn(metric -> metric.startsWith("ojs_") || metric.startsWith("floodgate_"))
                .extracting(metric -> metric.replaceFirst("(_seconds)?(_(bucket|count|sum|max|total))?$", ""))
                .allSatisfy(metric -> assertThat(pages).contains("`" + metric));
    }

    /** The names of what has a value. */
    private static Set<String> shown(int port) throws IOException, InterruptedException {
        return new HttpApi(port)
                .text("/metrics")
                .lines()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.split("[{ ]", 2)[0])
                .collect(Collectors.toSet());
    }
}
