package io.floodgate.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs with versions over HTTP, from end to end (OJS job versioning). */
@Tag("server")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class JobVersionsTest {
    private static final String TYPE = "invoice.generate";

    private Running running;
    private HttpApi http;

    @BeforeAll
    void start(@TempDir Path data) throws Exception {
        running = new Running();
        http = new HttpApi(Standalone.start(StandaloneConfig.in(data), running).port());
    }

    @AfterAll
    void stop() {
        running.close();
    }

    private static String job(String queue, String type, String more) {
        return "{\"type\":\"%s\",\"args\":[],\"options\":{\"queue\":\"%s\"}%s}".formatted(type, queue, more);
    }

    private String enqueue(String queue, String version) throws Exception {
        return http.post("/ojs/v1/jobs", job(queue, TYPE, ",\"version\":" + version))
                .text("/job/id");
    }

    private HttpApi.Answer fetch(String queue, String more) throws Exception {
        return http.post("/ojs/v1/workers/fetch", "{\"queues\":[\"%s\"],\"count\":10%s}".formatted(queue, more));
    }

    private static List<String> ids(HttpApi.Answer fetched) {
        List<String> ids = new ArrayList<>();
        fetched.body().at("/jobs").forEach(job -> ids.add(job.at("/id").asString()));
        return ids;
    }

    private static String accepting(String range) {
        return ",\"wait_ms\":0,\"accept_versions\":{\"%s\":\"%s\"}".formatted(TYPE, range);
    }

    @ParameterizedTest
    @ValueSource(strings = {"2", "\"2.1.0\"", "\"1.0\""})
    void a_version_comes_back_as_it_was_sent(String version) throws Exception {
        String queue = "echo-" + version.replace("\"", "");
        String retried = ",\"version\":%s,\"retry\":{\"max_attempts\":1}".formatted(version);
        var stored = http.post("/ojs/v1/jobs", job(queue, TYPE, retried));
        assertThat(stored.body().at("/job/version")).hasToString(version);
        String id = stored.text("/job/id");
        assertThat(http.get("/ojs/v1/jobs/" + id).body().at("/job/version")).hasToString(version);

        assertThat(fetch(queue, "").body().at("/jobs/0/version")).hasToString(version);
        http.post(
                "/ojs/v1/workers/nack",
                "{\"job_id\":\"%s\",\"error\":{\"type\":\"Broken\",\"message\":\"it broke\"}}".formatted(id));
        assertThat(http.get("/ojs/v1/dead-letter?queue=" + queue).body().findValue("version"))
                .hasToString(version);
        http.post("/ojs/v1/dead-letter/%s/retry".formatted(id), "{}");
        assertThat(fetch(queue, "").body().at("/jobs/0/version")).hasToString(version);

        var batch = http.post(
                "/ojs/v1/jobs/batch", "{\"jobs\":[%s]}".formatted(job(queue, TYPE, ",\"version\":" + version)));
        assertThat(batch.body().at("/jobs/0/version")).hasToString(version);
    }

    @Test
    void each_worker_gets_the_versions_that_it_accepts() throws Exception {
        String old = enqueue("mixed", "\"1.0\"");
        String major = enqueue("mixed", "\"2.0\"");
        String minor = enqueue("mixed", "\"1.1\"");
        String plain = http.post("/ojs/v1/jobs", job("mixed", TYPE, "")).text("/job/id");

        assertThat(ids(fetch("mixed", accepting("3.x")))).containsExactly(plain);
        assertThat(ids(fetch("mixed", accepting(">=1.0 <2.0")))).containsExactly(old, minor);
        assertThat(http.get("/ojs/v1/jobs/" + major).text("/job/state")).isEqualTo("available");
        assertThat(ids(fetch("mixed", accepting("2.x")))).containsExactly(major);
    }

    @Test
    void a_worker_that_has_declared_its_versions_gets_no_others() throws Exception {
        String worker = ",\"worker_id\":\"v2-worker\",\"wait_ms\":0";
        http.post(
                "/ojs/v1/workers/register",
                "{\"worker_id\":\"v2-worker\",\"handlers\":[{\"type\":\"%s\",\"versions\":\">=2.0 <3.0\"}]}"
                        .formatted(TYPE));
        http.post("/ojs/v1/workers/heartbeat", "{\"worker_id\":\"v2-worker\",\"active_jobs\":[]}");
        enqueue("declared", "\"1.0\"");
        String major = enqueue("declared", "\"2.4\"");

        assertThat(ids(fetch("declared", worker))).containsExactly(major);
        assertThat(http.get("/ojs/v1/admin/workers/v2-worker").body().findValue("versions"))
                .hasToString("{\"invoice.generate\":[\"2.x\"]}");
    }

    @Test
    void the_version_may_stand_behind_the_type() throws Exception {
        var stored = http.post("/ojs/v1/jobs", job("behind", TYPE + "@2.0", ""));
        assertThat(stored.text("/job/type")).isEqualTo(TYPE);
        assertThat(stored.text("/job/version")).isEqualTo("2.0");
        var both = http.post("/ojs/v1/jobs", job("behind", TYPE + "@2.0", ",\"version\":\"1.0\""));
        assertThat(both.text("/job/version")).isEqualTo("1.0");

        assertThat(ids(fetch("behind", accepting("2.0")))).containsExactly(stored.text("/job/id"));
    }

    @Test
    void a_fetch_that_waits_is_woken_by_a_job_that_it_accepts() throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            enqueue("waits", "\"1.0\"");
            String patient = accepting("2.x").replace("\"wait_ms\":0", "\"wait_ms\":30000");
            CompletableFuture<HttpApi.Answer> waiting = new CompletableFuture<>();
            var unused = threads.submit(() -> waiting.complete(fetch("waits", patient)));
            Eventually.until(
                    "it waits",
                    () -> http.get("/ojs/v1/queues/waits/explain")
                            .body()
                            .toString()
                            .contains("invoice.generate 2.x"));
            String major = enqueue("waits", "\"2.0\"");
            assertThat(ids(waiting.get())).containsExactly(major);
        }
    }

    @Test
    void a_job_that_no_worker_accepts_is_explained() throws Exception {
        String job = enqueue("held", "\"9.0\"");
        fetch("held", accepting("2.x"));

        assertThat(http.get("/ojs/v1/jobs/%s/explain".formatted(job)).text("/verdict/code"))
                .isEqualTo("version_not_accepted");
        assertThat(http.get("/ojs/v1/jobs/" + job).text("/job/waiting/reason")).isEqualTo("version_not_accepted");
    }

    @Test
    void each_step_of_a_workflow_has_its_own_version() throws Exception {
        String step = "{\"type\":\"%s\",\"args\":[],\"version\":\"%s\",\"options\":{\"queue\":\"steps\"}}";
        http.post(
                "/ojs/v1/workflows",
                "{\"type\":\"chain\",\"steps\":[%s,%s]}"
                        .formatted(step.formatted(TYPE, "1.0"), step.formatted(TYPE, "2.0")));
        List<String> first = new ArrayList<>();
        Eventually.until("its first step", () -> first.addAll(ids(fetch("steps", accepting("1.0")))));
        http.post("/ojs/v1/workers/ack", "{\"job_id\":\"%s\"}".formatted(first.getFirst()));
        List<String> second = new ArrayList<>();
        Eventually.until("its second step", () -> second.addAll(ids(fetch("steps", accepting("2.0")))));
        assertThat(ids(fetch("steps", accepting("1.0")))).isEmpty();
    }

    @Test
    void what_is_no_range_is_rejected() throws Exception {
        assertThat(http.statusOfPost(
                        "/ojs/v1/workers/fetch",
                        "{\"queues\":[\"q\"],\"accept_versions\":{\"%s\":\"^2\"}}".formatted(TYPE)))
                .isEqualTo(400);
    }
}
