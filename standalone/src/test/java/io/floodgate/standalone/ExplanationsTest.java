package io.floodgate.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** What the server says of queues, jobs and limits in bad shape, and {@code floodgate why} of it. */
@Tag("server")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ExplanationsTest {
    private Running running;
    private HttpApi http;
    private int port;

    @BeforeAll
    void start(@TempDir Path data) throws Exception {
        running = new Running();
        port = Standalone.start(StandaloneConfig.in(data), running).port();
        http = new HttpApi(port);
    }

    @AfterAll
    void stop() {
        running.close();
    }

    private String enqueue(String queue, String more) throws Exception {
        return http.post(
                        "/ojs/v1/jobs",
                        "{\"type\":\"email.send\",\"args\":[],\"queue\":\"%s\"%s}".formatted(queue, more))
                .text("/job/id");
    }

    private List<String> fetch(String queue, int count, String more) throws Exception {
        var jobs = http.post(
                        "/ojs/v1/workers/fetch",
                        "{\"queues\":[\"%s\"],\"worker_id\":\"w1\",\"count\":%d,\"wait_ms\":0%s}"
                                .formatted(queue, count, more))
                .body()
                .at("/jobs");
        List<String> ids = new ArrayList<>();
        jobs.forEach(job -> ids.add(job.at("/id").asString()));
        return ids;
    }

    private String verdict(String path) throws Exception {
        return http.get(path).text("/verdict/code");
    }

    private String ofQueue(String queue) throws Exception {
        return verdict("/ojs/v1/queues/%s/explain".formatted(queue));
    }

    private String ofJob(String job) throws Exception {
        return verdict("/ojs/v1/jobs/%s/explain".formatted(job));
    }

    private record Said(int code, String text) {}

    private Said why(String... what) {
        List<String> arguments = new ArrayList<>(List.of("why"));
        arguments.addAll(List.of(what));
        return run(arguments);
    }

    private Said run(List<String> command) {
        List<String> arguments = new ArrayList<>(command);
        arguments.addAll(List.of("--url", "http://127.0.0.1:" + port));
        PrintStream before = System.out;
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
        try {
            return new Said(Floodgate.run(arguments, Map.of()), out.toString(StandardCharsets.UTF_8));
        } finally {
            System.setOut(before);
        }
    }

    @Test
    void a_paused_queue_says_why_and_resumes_as_advised() throws Exception {
        String job = enqueue("paused", "");
        fetch("paused", 1, ",\"types\":[\"other\"]");
        http.post("/ojs/v1/queues/paused/pause", "{\"reason\":\"the mail server is down\"}");

        var explained = http.get("/ojs/v1/queues/paused/explain");

        assertThat(explained.text("/verdict/code")).isEqualTo("paused");
        assertThat(explained.text("/findings/0/evidence/reason")).isEqualTo("the mail server is down");
        assertThat(ofJob(job)).isEqualTo("queue_paused");
        Said said = why("queue", "paused");
        assertThat(said.code()).isEqualTo(1);
        assertThat(said.text())
                .startsWith("WARNING: Queue 'paused' is paused: 1 job waits")
                .contains("the mail server is down", "POST /ojs/v1/queues/paused/resume");

        http.post(explained.text("/findings/0/do/0/action/path"), "");

        assertThat(ofQueue("paused")).isNotEqualTo("paused");
    }

    @Test
    void status_and_top_tell_of_it_in_a_line() throws Exception {
        enqueue("stands", "");
        http.post("/ojs/v1/queues/stands/pause", "{}");
        Eventually.until(
                "a status that names the queue",
                () -> run(List.of("status", "--problems", "50"))
                        .text()
                        .contains("queue stands: Queue 'stands' is paused"));

        assertThat(run(List.of("status")).code()).isPositive();
        assertThat(run(List.of("status", "--json")).text()).startsWith("{\"as_of\":");
        assertThat(run(List.of("top", "--once", "--sort", "depth")).text())
                .contains("QUEUE", "stands")
                .contains("paused");
    }

    @Test
    void a_queue_without_workers_and_one_whose_type_none_asks_for() throws Exception {
        String job = enqueue("lonely", "");
        assertThat(ofQueue("lonely")).isEqualTo("nobody_fetches");
        assertThat(ofJob(job)).isEqualTo("nobody_fetches");
        assertThat(why("queue", "lonely").code()).isEqualTo(2);

        fetch("lonely", 1, ",\"exclude_types\":[\"email.send\"]");

        assertThat(ofJob(job)).isEqualTo("type_not_fetched");
    }

    @Test
    void a_full_queue_names_its_producers_that_wait() throws Exception {
        http.put("/ojs/v1/queues/full/config", "{\"max_size\":1,\"overflow_policy\":\"block\"}");
        enqueue("full", "");
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var waiting = threads.submit(() -> http.statusOfPost(
                    "/ojs/v1/jobs",
                    "{\"type\":\"email.send\",\"args\":[],\"queue\":\"full\"}",
                    "OJS-Block-Timeout",
                    "20"));
            Eventually.until(
                    "a producer waits",
                    () -> http.get("/ojs/v1/queues/full/explain")
                            .text("/who/waiting_producers/count")
                            .equals("1"));
            assertThat(http.get("/ojs/v1/queues/full/explain")
                            .body()
                            .at("/findings")
                            .toString())
                    .contains("\"producers_faster\"", "nobody_fetches", "1 producer waits for capacity");
            http.put("/ojs/v1/queues/full/config", "{\"max_size\":10}");
            assertThat(waiting.get(20, TimeUnit.SECONDS)).isEqualTo(201);
        }
    }

    @Test
    void runs_that_fail_are_named_with_their_error() throws Exception {
        String later = ",\"retry\":{\"initial_interval\":\"PT1H\",\"max_interval\":\"PT1H\"}";
        for (int i = 0; i < 20; i++) enqueue("failing", later);
        for (String job : fetch("failing", 20, ""))
            http.post(
                    "/ojs/v1/workers/nack",
                    "{\"job_id\":\"%s\",\"worker_id\":\"w1\",\"error\":{\"type\":\"SmtpError\",\"message\":\"connection refused\"}}"
                            .formatted(job));

        var explained = http.get("/ojs/v1/queues/failing/explain");

        assertThat(explained.text("/verdict/code")).isEqualTo("failing");
        assertThat(explained.text("/findings/0/evidence/errors/first/0/type")).isEqualTo("SmtpError");
        String job = explained.text("/findings/0/evidence/errors/first/0/job_id");
        assertThat(ofJob(job)).isEqualTo("retry");
        assertThat(why("job", job).text()).contains("SmtpError: connection refused");
    }

    @Test
    void a_stopped_key_goes_on_as_advised() throws Exception {
        String limit = ",\"rate_limit\":{\"key\":\"partner\",\"concurrency\":5}";
        enqueue("limited", limit);
        http.put("/ojs/v1/rate-limits/partner/override", "{\"concurrency\":0}");
        String job = enqueue("limited", limit);
        fetch("limited", 1, "");

        Eventually.until("the limit holds the job back", () -> ofJob(job).equals("rate_limited"));
        Eventually.until(
                "a job waits",
                () -> why("limit", "partner").text().startsWith("PROBLEM: The rate limit 'partner' is stopped"));
        var explained = http.get("/ojs/v1/rate-limits/partner/explain");
        assertThat(explained.text("/verdict/code")).isEqualTo("stopped");

        http.delete(explained.text("/findings/0/do/0/action/path"));

        assertThat(verdict("/ojs/v1/rate-limits/partner/explain")).isNotEqualTo("stopped");
    }

    @Test
    void a_key_at_its_concurrency_names_the_run_that_holds_it_and_is_free_once_that_is_cancelled() throws Exception {
        String limit = ",\"rate_limit\":{\"key\":\"one\",\"concurrency\":1}";
        String hangs = enqueue("hanging", limit);
        Eventually.until("the first one runs", () -> fetch("hanging", 1, "").contains(hangs));
        String next = enqueue("hanging", limit);
        fetch("hanging", 1, "");

        Eventually.until(
                "the key is held",
                () -> verdict("/ojs/v1/rate-limits/one/explain").equals("held_concurrency"));
        var explained = http.get("/ojs/v1/rate-limits/one/explain");
        assertThat(explained.text("/who/longest_running/0/job_id")).isEqualTo(hangs);
        assertThat(why("limit", "one").text().replaceAll("\\s+", " "))
                .contains("The longest run is that of job " + hangs, "If it hangs, cancel it.");

        http.delete(explained.text("/findings/0/do/0/action/path"));

        Eventually.until("the next one runs", () -> fetch("hanging", 1, "").contains(next));
    }

    @Test
    void a_job_that_runs_and_has_ended() throws Exception {
        String job = enqueue("running", "");
        fetch("running", 1, "");
        assertThat(ofJob(job)).isEqualTo("running");
        assertThat(http.get("/ojs/v1/queues/running/explain").text("/who/workers/0/worker_id"))
                .isEqualTo("w1");
        http.post("/ojs/v1/workers/ack", "{\"job_id\":\"%s\",\"worker_id\":\"w1\"}".formatted(job));
        assertThat(ofJob(job)).isEqualTo("completed");
        assertThat(ofQueue("running")).isEqualTo("idle");
    }

    @Test
    void what_is_not_there_is_not_found_with_an_explanation() throws Exception {
        assertThat(http.statusOf("/ojs/v1/queues/no-such-queue/explain")).isEqualTo(404);
        assertThat(http.text("/ojs/v1/queues/no-such-queue/explain")).contains("\"explanation\"", "never_used");
        Said said = why("queue", "no-such-queue");
        assertThat(said.code()).isEqualTo(4);
        assertThat(said.text()).startsWith("UNKNOWN: There is no queue 'no-such-queue'");
        assertThat(why("worker", "no-such-worker").code()).isEqualTo(4);
    }

    @Test
    void the_server_as_a_whole() {
        Said said = why("system", "--json");
        assertThat(said.code()).isZero();
        assertThat(said.text()).contains("\"subject\":{\"kind\":\"system\"");
    }

    @Test
    void no_answer_has_a_code_of_its_own() {
        assertThat(Floodgate.run(List.of("why", "system", "--url", "http://127.0.0.1:1"), Map.of()))
                .isEqualTo(3);
    }
}
