package io.floodgate.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * One processor of two is killed, each role in a process of its own. Until the other one has taken over, which is a matter of seconds,
 * API, terminal and console say whose partition is silent, that figures are old, and advise nothing but to look after it.
 */
@Tag("server")
@DisabledIfSystemProperty(
        named = "search.effort",
        matches = "0\\.1",
        disabledReason = "takes 80 s: ./floodgate test --long")
final class SilentPartitionTest {
    private static final int QUEUES = 12;
    private static final int PARTITIONS = 4;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path data;

    private final List<AutoCloseable> started = new ArrayList<>();
    private final ScheduledExecutorService watch = Executors.newScheduledThreadPool(3);
    private final List<JsonNode> answers = Collections.synchronizedList(new ArrayList<>());
    private final List<String> said = Collections.synchronizedList(new ArrayList<>());
    private final List<JsonNode> shown = Collections.synchronizedList(new ArrayList<>());
    private int port;
    private HttpApi http;
    private Processor killed;
    private Processor successor;

    private RoleProcess start(String name, String... arguments) throws IOException {
        RoleProcess process = RoleProcess.start(data.resolve(name + ".log"), arguments);
        started.add(process);
        return process;
    }

    /** One of the two, with the port where it says what it has. */
    private record Processor(RoleProcess process, int metrics, Path data) {
        private List<Integer> partitions(String which) throws InterruptedException {
            try {
                List<Integer> found = new ArrayList<>();
                new HttpApi(metrics).get("/ready").body().at("/" + which).forEach(each -> found.add(each.intValue()));
                return found;
            } catch (IOException | AssertionError notYet) {
                return List.of();
            }
        }

        List<Integer> owned() throws InterruptedException {
            return partitions("partitions");
        }

        boolean isRunning() throws InterruptedException {
            try {
                return new HttpApi(metrics).statusOf("/ready") > 0;
            } catch (IOException notYet) {
                return false;
            }
        }

        /** Whether it has each partition, or a copy of it. */
        boolean isWarm() throws InterruptedException {
            return owned().size() + partitions("standbys").size() == PARTITIONS;
        }

        String node() throws IOException {
            return Files.readString(data.resolve("streams/node-id")).strip();
        }
    }

    private Processor processor(String name, String bootstrap) throws IOException {
        int metrics = Ports.free();
        Path directory = data.resolve(name);
        RoleProcess process = start(
                name,
                "processor",
                "--bootstrap",
                bootstrap,
                "--partitions",
                String.valueOf(PARTITIONS),
                "--replication",
                "1",
                "--data",
                directory.toString(),
                "--metrics-port",
                String.valueOf(metrics));
        return new Processor(process, metrics, directory);
    }

    @BeforeEach
    void start() throws Exception {
        assumeTrue(Browser.isInstalled(), "the packages chromium and chromium-driver are not installed");
        int broker = Ports.free();
        String bootstrap = "127.0.0.1:" + broker;
        start("broker", "broker", "--broker-port", String.valueOf(broker), "--data", data.toString());
        Eventually.until("the broker listens", () -> listens(broker));
        Processor one = processor("one", bootstrap);
        Processor other = processor("other", bootstrap);
        Eventually.until("both are members", () -> one.isRunning() && other.isRunning());
        Eventually.until(
                "all partitions have an owner",
                () -> one.owned().size() + other.owned().size() == PARTITIONS);
        Eventually.until("each has a copy of what it does not have", () -> one.isWarm() && other.isWarm());
        // The first to come may still have all of them.
        killed = one.owned().size() > other.owned().size() ? one : other;
        successor = killed.equals(one) ? other : one;
        port = Ports.free();
        http = new HttpApi(port);
        start("gateway", "gateway", "--bootstrap", bootstrap, "--port", String.valueOf(port));
        Eventually.until("the gateway serves", () -> answers("/ready"));
    }

    @AfterEach
    void stop() throws Exception {
        watch.shutdownNow();
        for (AutoCloseable each : started.reversed()) each.close();
    }

    private static boolean listens(int port) {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException notYet) {
            return false;
        }
    }

    private boolean answers(String path) throws InterruptedException {
        try {
            return http.statusOf(path) == 200;
        } catch (IOException notYet) {
            return false;
        }
    }

    private JsonNode explain(String subject) throws Exception {
        return http.get("/ojs/v1/" + subject + "/explain").body();
    }

    /** A queue in each of these partitions, with a job that waits for its worker. */
    private Map<String, String> queues() throws Exception {
        Map<String, String> partitions = new LinkedHashMap<>();
        for (int i = 0; i < QUEUES; i++) {
            String queue = "q" + i;
            http.post("/ojs/v1/jobs", "{\"type\":\"email.send\",\"args\":[],\"queue\":\"%s\"}".formatted(queue));
            http.post("/ojs/v1/queues/%s/pause".formatted(queue), "{\"reason\":\"the mail server is down\"}");
            partitions.put(queue, explain("queues/" + queue).at("/from").asString());
        }
        return partitions;
    }

    private void every(Callable<?> look) {
        var unused = watch.scheduleWithFixedDelay(
                () -> {
                    try {
                        look.call();
                    } catch (Exception | AssertionError e) {
                        said.add("failed: " + e);
                    }
                },
                0,
                100,
                TimeUnit.MILLISECONDS);
    }

    /** What {@code floodgate why} prints, and its exit code. */
    private String why(String queue) {
        PrintStream before = System.out;
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
        try {
            int code = Floodgate.run(List.of("why", "queue", queue, "--url", "http://127.0.0.1:" + port), Map.of());
            return out.toString(StandardCharsets.UTF_8) + "\nexit code " + code;
        } finally {
            System.setOut(before);
        }
    }

    /** What the page has, and which of its buttons would change something. */
    private static final String LOOK = """
            return {text: document.body.innerText,
              actions: [...document.querySelectorAll('main button[data-action]')].filter(each => !each.disabled).map(each => each.innerText.trim())}""";

    @Tag("long")
    @Test
    void of_a_killed_processor_the_partitions_are_silent_until_the_other_one_has_taken_them_over() throws Exception {
        Map<String, String> partitions = queues();
        List<Integer> owned = killed.owned();
        String queue = partitions.entrySet().stream()
                .filter(each ->
                        owned.stream().anyMatch(partition -> each.getValue().endsWith("/" + partition)))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow();
        String node = killed.node();
        try (Browser browser = Browser.start()) {
            browser.open("http://127.0.0.1:%d/#/queues/%s".formatted(port, queue));
            browser.awaitText("Queue '%s' is paused: 1 job waits".formatted(queue));
            assertThat(browser.canPress("Resume")).isTrue();

            // So that the partition is silent until all three have said so, however quickly the other one would take
            // over.
            successor.process().pause();
            killed.process().kill();
            every(() -> answers.add(explain("queues/" + queue)));
            every(() -> said.add(why(queue)));
            every(() -> shown.add(browser.run(LOOK)));
            Eventually.until("the partition is silent", () -> isSaidNow("partition_silent"));
            Eventually.until(
                    "terminal and page say so",
                    () -> List.copyOf(said).stream().anyMatch(text -> text.startsWith("PROBLEM: Partition"))
                            && List.copyOf(shown).stream().anyMatch(each -> isSilent(each, queue)));
            JsonNode system = explain("admin");
            successor.process().resume();
            Eventually.until("the other one has taken over", () -> isSaidNow("paused"));
            Eventually.until(
                    "the page says so",
                    () -> !shown.isEmpty()
                            && shown.getLast().at("/actions").toString().contains("Resume"));
            watch.shutdownNow();
            assertThat(watch.awaitTermination(30, TimeUnit.SECONDS)).isTrue();

            assertThat(system.at("/verdict/code").asString()).isIn("partition_silent", "no_partition_answers");
            assertThat(system.at("/findings/0/evidence/owners").toString()).contains(node);
            answersAreHonest(partitions.get(queue), node);
            assertThat(said)
                    .anySatisfy(text -> assertThat(text)
                            .startsWith("PROBLEM: Partition %s of queue '%s' does not answer"
                                    .formatted(partitions.get(queue), queue))
                            .contains(node, "Look at processor", "exit code 2")
                            .doesNotContain("POST ", "PUT ", "DELETE "));
            pagesAreHonest(queue, node);
            browser.open("http://127.0.0.1:%d/#/".formatted(port));
            browser.awaitText("Fullest");
            browser.awaitNoText("not answer");
            assertThat(browser.complaints()).isEmpty();
        }
        http.post("/ojs/v1/queues/%s/resume".formatted(queue), "{}");
        assertThat(http.post(
                                "/ojs/v1/workers/fetch",
                                "{\"queues\":[\"%s\"],\"worker_id\":\"w1\",\"wait_ms\":5000}".formatted(queue))
                        .body()
                        .at("/jobs"))
                .hasSize(1);
    }

    private boolean isSaidNow(String code) {
        return !answers.isEmpty() && code(answers.getLast()).equals(code);
    }

    private static String code(JsonNode explanation) {
        return explanation.at("/verdict/code").asString();
    }

    private void answersAreHonest(String partition, String node) {
        List<JsonNode> silent = answers.stream()
                .filter(each -> code(each).equals("partition_silent"))
                .toList();
        assertThat(silent).allSatisfy(each -> {
            assertThat(each.at("/exact").booleanValue()).isFalse();
            assertThat(each.at("/figures/available").intValue()).isEqualTo(1);
            assertThat(each.toString()).doesNotContain("\"action\"");
        });
        assertThat(silent).anySatisfy(each -> {
            assertThat(each.at("/findings/0/evidence/partition").asString()).isEqualTo(partition);
            assertThat(each.at("/findings/0/evidence/owner").asString()).startsWith(node);
            assertThat(each.at("/findings/0/evidence/host").asString()).isEqualTo("127.0.0.1");
        });
        assertThat(answers.stream().map(SilentPartitionTest::code).distinct())
                .as("and nothing else is said meanwhile")
                .isSubsetOf("paused", "partition_silent");
    }

    private static boolean isSilent(JsonNode page, String queue) {
        return page.at("/text").asString().contains("of queue '%s' does not answer".formatted(queue));
    }

    private void pagesAreHonest(String queue, String node) throws IOException {
        String next = successor.node();
        List<JsonNode> silent =
                shown.stream().filter(each -> isSilent(each, queue)).toList();
        assertThat(silent).allSatisfy(each -> {
            assertThat(each.at("/text").asString())
                    .contains("Last published")
                    .containsAnyOf(
                            "Look at processor " + node, "Look at processor " + next, "See which processor is down");
            assertThat(each.at("/actions")).isEmpty();
        });
        // The other one has the partition for a moment before it answers.
        assertThat(silent)
                .anySatisfy(each -> assertThat(each.at("/text").asString()).contains(node));
    }
}
