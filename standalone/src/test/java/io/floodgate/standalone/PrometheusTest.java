package io.floodgate.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/**
 * Prometheus itself, with our rules. Debian has it in its package {@code prometheus}; where its commands are not in the path these
 * tests are skipped.
 */
@Tag("server")
final class PrometheusTest {
    private static final Path RULES = Path.of("../monitoring/prometheus");

    @TempDir
    Path directory;

    static boolean isThere() {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(":", -1))
                .map(Path::of)
                .anyMatch(bin ->
                        Files.isExecutable(bin.resolve("promtool")) && Files.isExecutable(bin.resolve("prometheus")));
    }

    private static Process start(Path log, List<String> command) throws IOException {
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
    }

    private void promtool(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("promtool"));
        command.addAll(List.of(arguments));
        Path log = directory.resolve("promtool.log");
        assertThat(start(log, command).waitFor()).as(Files.readString(log)).isZero();
    }

    @Test
    @EnabledIf(value = "isThere", disabledReason = "prometheus and promtool are not in the path")
    void rules_are_valid_and_each_alert_fires_and_is_quiet_when_it_should() throws Exception {
        promtool("check", "config", RULES.resolve("prometheus.yml").toString());
        promtool("test", "rules", RULES.resolve("rules.test.yml").toString());
    }

    /** Without the time that alerts have to hold before they fire: promtool has looked at that. */
    private Path config(int server) throws IOException {
        String rules = Files.readString(RULES.resolve("rules.yml")).replaceAll("(?m)^ +for: .*\n", "");
        Files.writeString(directory.resolve("rules.yml"), rules);
        return Files.writeString(directory.resolve("prometheus.yml"), """
                        global: {scrape_interval: 1s, evaluation_interval: 1s}
                        rule_files: [rules.yml]
                        scrape_configs:
                        - job_name: floodgate-gateway
                          static_configs: [{targets: ["127.0.0.1:%d"]}]
                        """.formatted(server));
    }

    /** Each alert that fires, with what it is about. */
    private static Set<String> firing(HttpApi prometheus) throws Exception {
        Set<String> firing = new TreeSet<>();
        prometheus
                .get("/api/v1/alerts")
                .body()
                .at("/data/alerts")
                .forEach(alert -> firing.add((alert.at("/labels/alertname").asString() + " "
                                + alert.at("/labels/queue").asString("")
                                + alert.at("/labels/key").asString(""))
                        .strip()));
        return firing;
    }

    private static boolean answers(HttpApi prometheus) {
        try {
            return prometheus.statusOf("/-/ready") == 200;
        } catch (IOException | InterruptedException notYet) {
            return false;
        }
    }

    private static void enqueue(HttpApi http, String queue, String more) throws Exception {
        http.post("/ojs/v1/jobs", job(queue, more));
    }

    private static String job(String queue, String more) {
        return "{\"type\":\"a.b\",\"args\":[],\"queue\":\"%s\"%s}".formatted(queue, more);
    }

    @Test
    @EnabledIf(value = "isThere", disabledReason = "prometheus and promtool are not in the path")
    void a_server_in_trouble_fires_the_right_alerts_and_no_others() throws Exception {
        try (Running running = new Running()) {
            int port = Standalone.start(StandaloneConfig.in(directory.resolve("data")), running)
                    .port();
            HttpApi http = new HttpApi(port);
            int listens = Ports.free();
            Process scraping = start(
                    directory.resolve("prometheus.log"),
                    List.of(
                            "prometheus",
                            "--config.file=" + config(port),
                            "--storage.tsdb.path=" + directory.resolve("tsdb"),
                            "--web.listen-address=127.0.0.1:" + listens));
            try {
                HttpApi prometheus = new HttpApi(listens);
                Eventually.until("Prometheus answers", () -> answers(prometheus));
                Eventually.until(
                        "no alert before there is trouble",
                        () -> firing(prometheus).isEmpty());

                http.put("/ojs/v1/queues/full/config", "{\"max_size\":1}");
                enqueue(http, "full", "");
                enqueue(http, "limited", ",\"rate_limit\":{\"key\":\"partner\",\"concurrency\":1}");
                http.put("/ojs/v1/rate-limits/partner/override", "{\"concurrency\":0}");
                http.post("/ojs/v1/workers/fetch", "{\"queues\":[\"limited\"],\"worker_id\":\"w\",\"wait_ms\":0}");
                Set<String> expected = Set.of(
                        "FloodgateQueueFull full",
                        "FloodgateQueueStandsStill full",
                        "FloodgateQueueStandsStill limited",
                        "FloodgateLimitHoldsAll partner");
                Eventually.until("the right alerts", () -> {
                    assertThat(http.statusOfPost("/ojs/v1/jobs", job("full", "")))
                            .isEqualTo(429);
                    return firing(prometheus).equals(expected);
                });
                prometheus
                        .get("/api/v1/rules")
                        .body()
                        .at("/data/groups")
                        .forEach(group -> group.at("/rules")
                                .forEach(rule -> assertThat(rule.at("/health").asString())
                                        .as(rule.at("/name").asString())
                                        .isEqualTo("ok")));

                http.delete("/ojs/v1/rate-limits/partner/override");
                List<String> jobs = new ArrayList<>();
                Eventually.until("both jobs have started", () -> {
                    http.post(
                                    "/ojs/v1/workers/fetch",
                                    "{\"queues\":[\"full\",\"limited\"],\"worker_id\":\"w\",\"count\":2}")
                            .body()
                            .at("/jobs")
                            .forEach(job -> jobs.add(job.at("/id").asString()));
                    return jobs.size() == 2;
                });
                for (String job : jobs) http.post("/ojs/v1/workers/ack", "{\"job_id\":\"%s\"}".formatted(job));
                Eventually.until("no alert after it", () -> firing(prometheus).isEmpty());
            } finally {
                scraping.destroyForcibly().waitFor(60, TimeUnit.SECONDS);
            }
        }
    }
}
