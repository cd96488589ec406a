package io.floodgate.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/**
 * What the OJS command-line tool and the OJS admin page ask for, as they ask for it, and what they read of the answer. {@code J},
 * {@code DEAD}, {@code DONE} and {@code NEW} stand for jobs: available, dead, completed, and one that is made for the request.
 */
@Tag("server")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ClientRequestsTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    static Path data;

    private final HttpClient client = HttpClient.newHttpClient();
    private final Running running = new Running();
    private String base;
    private String job;
    private String dead;
    private String done;

    /** @param reads JSON pointers of what the client reads */
    record Request(String client, String line, String body, int status, List<String> reads) {
        static Request tool(String line, String body, int status, String... reads) {
            return new Request("ojs", line, body, status, Arrays.asList(reads));
        }

        static Request page(String line, String body, int status, String... reads) {
            return new Request("page", line, body, status, Arrays.asList(reads));
        }

        @Override
        public String toString() {
            return client + ": " + line + (body == null ? "" : " " + body);
        }
    }

    private static List<Request> requests() {
        return List.of(
                Request.tool("GET /health", null, 200, "/status"),
                Request.tool("GET /queues", null, 200, "/queues/0/name", "/pagination/total"),
                Request.tool("POST /queues", "{\"name\":\"made\",\"concurrency\":3}", 201, "/name"),
                Request.tool("DELETE /queues/unused", null, 202, "/queue", "/state"),
                Request.tool("GET /queues/mail/stats", null, 200, "/queue", "/stats/available"),
                Request.tool("POST /queues/mail/pause", "{}", 200, "/status"),
                Request.tool("POST /queues/mail/resume", "{}", 200, "/status"),
                Request.tool("POST /queues/purged/purge", "{\"states\":[\"available\"]}", 200, "/deleted"),
                Request.tool(
                        "PUT /admin/queues/mail/config",
                        "{\"concurrency\":5,\"max_size\":1000,\"retention\":\"7d\"}",
                        200,
                        "/config/max_size"),
                Request.tool("GET /rate-limits", null, 200, "/rate_limits", "/pagination/total"),
                Request.tool("PUT /rate-limits/api/override", "{\"concurrency\":2}", 200, "/key"),
                Request.tool("GET /rate-limits/api", null, 200, "/key"),
                Request.tool("DELETE /rate-limits/api/override", null, 200, "/key"),
                Request.tool(
                        "POST /jobs",
                        "{\"type\":\"a\",\"args\":[],\"options\":{\"queue\":\"mail\"}}",
                        201,
                        "/job/id",
                        "/id"),
                // As its README has it; the specification knows no such form.
                Request.tool(
                        "POST /jobs",
                        "{\"type\":\"a\",\"args\":[],\"options\":{\"unique\":{\"key\":\"user-123\",\"within\":\"1h\"}}}",
                        400,
                        "/error/details/field"),
                Request.tool(
                        "POST /jobs/batch", "{\"jobs\":[{\"type\":\"a\",\"args\":[]}]}", 201, "/enqueued", "/failed"),
                Request.tool("GET /jobs?limit=10", null, 200, "/jobs/0/id", "/pagination/total"),
                Request.tool("GET /jobs/J", null, 200, "/job/id", "/id", "/state"),
                Request.tool("PATCH /jobs/J", "{\"priority\":5}", 200, "/job/priority"),
                Request.tool("GET /jobs/DONE/result", null, 200, "/state", "/result"),
                Request.tool("GET /jobs/DEAD/retries", null, 200, "/retries/0"),
                Request.tool("POST /jobs/bulk/cancel", "{\"ids\":[\"NEW\"]}", 200, "/succeeded", "/failed"),
                Request.tool("POST /jobs/bulk/retry", "{\"filter\":{\"queue\":\"none\"}}", 200, "/succeeded"),
                Request.tool("POST /jobs/bulk/delete", "{\"filter\":{\"queue\":\"none\"}}", 200, "/deleted"),
                Request.tool("DELETE /jobs/NEW", null, 200, "/job/state"),
                Request.tool("GET /dead-letter?limit=10", null, 200, "/jobs/0/id", "/pagination/total"),
                Request.tool("GET /dead-letter/stats", null, 200, "/total"),
                Request.tool("POST /dead-letter/purge?older_than=2020-01-01T00:00:00Z", null, 200, "/deleted"),
                Request.tool("GET /admin/stats", null, 200, "/jobs", "/queues"),
                Request.tool("GET /admin/stats/history?period=5m", null, 200, "/period"),
                Request.tool("GET /admin/workers", null, 200, "/items", "/summary"),
                Request.tool("GET /admin/maintenance", null, 200, "/enabled"),
                Request.tool("POST /admin/maintenance", "{\"enabled\":false}", 200, "/enabled"),
                Request.tool("GET /admin/config", null, 200),
                Request.tool("GET /events?limit=5", null, 200, "/events/0/type"),
                Request.page("GET /admin/stats", null, 200, "/jobs", "/throughput"),
                Request.page("GET /admin/queues?page=1&per_page=20", null, 200, "/items/0/name", "/pagination/total"),
                Request.page("GET /admin/queues/mail", null, 200, "/name", "/counts/available"),
                Request.page("POST /admin/queues/mail/pause", "{}", 200),
                Request.page("POST /admin/queues/mail/resume", "{}", 200),
                Request.page(
                        "DELETE /admin/queues/purged/jobs",
                        "{\"states\":[\"completed\"],\"confirm\":true}",
                        200,
                        "/purged_count"),
                Request.page("DELETE /admin/queues/purged/jobs", "{\"states\":[\"completed\"]}", 400, "/error/code"),
                Request.page(
                        "PUT /admin/queues/mail/config",
                        "{\"concurrency\":7,\"rate_limit\":{\"limit\":100,\"period\":\"1m\"},\"retention\":{\"completed\":\"24h\"}}",
                        200,
                        "/name",
                        "/configuration"),
                Request.page("GET /admin/jobs?state=available&page=1&per_page=20", null, 200, "/items/0/id"),
                Request.page("GET /admin/jobs/J", null, 200, "/id", "/state", "/args"),
                Request.page("POST /admin/jobs/DEAD/retry", "{}", 200, "/state"),
                Request.page("POST /admin/jobs/NEW/cancel", "{}", 200, "/state"),
                Request.page("PATCH /admin/jobs/J", "{\"priority\":1}", 200, "/priority"),
                Request.page(
                        "POST /admin/jobs/bulk/cancel",
                        "{\"filter\":{\"queue\":\"none\"},\"confirm\":true}",
                        200,
                        "/matched",
                        "/succeeded"),
                Request.page("POST /admin/jobs/bulk/cancel", "{\"filter\":{\"queue\":\"none\"}}", 400, "/error/code"),
                Request.page(
                        "GET /admin/workers?page=1", null, 200, "/items/0/id", "/items/0/queues", "/pagination/total"),
                Request.page("GET /admin/scheduling/stats", null, 200, "/dispatched", "/strategy"),
                Request.page("POST /admin/workers/w/quiet", "{}", 200),
                Request.page("GET /admin/dead-letter?page=1", null, 200, "/items", "/pagination/total"),
                Request.page("GET /admin/dead-letter/stats", null, 200, "/total"),
                Request.page("GET /admin/stats/history?period=1m", null, 200, "/data"),
                Request.page("GET /admin/system/maintenance", null, 200, "/enabled"),
                Request.page("GET /jobs/DONE/result", null, 200, "/result"),
                Request.page("GET /rate-limits", null, 200, "/items"),
                Request.page("GET /events?page=1", null, 200, "/items/0/type", "/items/0/timestamp"));
    }

    @BeforeAll
    void start() throws Exception {
        base = "http://127.0.0.1:%d/ojs/v1"
                .formatted(Standalone.start(StandaloneConfig.in(data), running).port());
        job = enqueued("mail", "");
        enqueued("purged", "");
        dead = enqueued("dying", ",\"retry\":{\"max_attempts\":1}");
        done = enqueued("doing", "");
        ask("POST /queues", "{\"name\":\"unused\"}");
        ask("POST /workers/heartbeat", "{\"worker_id\":\"w\",\"active_jobs\":[]}");
        ask("POST /workers/fetch", "{\"queues\":[\"dying\",\"doing\"],\"count\":2,\"worker_id\":\"w\",\"wait_ms\":0}");
        ask("POST /workers/fetch", "{\"queues\":[\"doing\"],\"worker_id\":\"w\",\"wait_ms\":0}");
        ask("POST /workers/nack", "{\"job_id\":\"%s\",\"error\":{\"type\":\"a\",\"message\":\"b\"}}".formatted(dead));
        ask("POST /workers/ack", "{\"job_id\":\"%s\",\"result\":{\"sent\":true}}".formatted(done));
        Eventually.until(
                "queues are published",
                () -> at(ask("GET /queues", null), "/pagination/total").intValue() >= 3);
        Eventually.until(
                "events are there",
                () -> !at(ask("GET /events", null), "/events/0").isMissingNode());
        Eventually.until(
                "jobs are counted", () -> ask("GET /admin/queues/mail", null).statusCode() == 200);
    }

    @AfterAll
    void stop() {
        running.close();
    }

    private String enqueued(String queue, String more) throws Exception {
        var got = ask("POST /jobs", "{\"type\":\"a\",\"args\":[],\"queue\":\"%s\"%s}".formatted(queue, more));
        return at(got, "/job/id").asString();
    }

    private HttpResponse<String> ask(String line, String body, String... headers) throws Exception {
        String[] parts = line.split(" ", 2);
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create(base + parts[1]).normalize())
                .method(parts[0], body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                // Both tools say so with every request, also where there is no body.
                .header("Content-Type", "application/openjobspec+json")
                .header("Accept", "application/openjobspec+json");
        for (int i = 0; i < headers.length; i += 2) request.setHeader(headers[i], headers[i + 1]);
        return client.send(request.build(), BodyHandlers.ofString());
    }

    private static JsonNode at(HttpResponse<String> got, String pointer) {
        return JSON.readTree(got.body()).at(pointer);
    }

    private String named(String text) throws Exception {
        if (text == null) return null;
        String named = text.replace("DEAD", dead).replace("DONE", done).replaceAll("\\bJ\\b", job);
        return named.contains("NEW") ? named.replace("NEW", enqueued("fresh", "")) : named;
    }

    /** As the SDKs for JavaScript and Python run durable jobs: without its replay log a job does all again. */
    @Test
    void a_durable_job_finds_its_replay_log_in_its_second_run() throws Exception {
        String id = enqueued("durable", ",\"retry\":{\"max_attempts\":3,\"initial_interval\":\"PT0.01S\"}");
        String fetch = "{\"queues\":[\"durable\"],\"count\":1,\"worker_id\":\"js\",\"wait_ms\":10000}";
        String resume = "GET /ojs/v1/checkpoints/" + id + "/resume";
        assertThat(at(ask("POST /workers/fetch", fetch), "/jobs/0/checkpoint").isMissingNode())
                .isTrue();
        assertThat(at(ask(resume, null), "/has_checkpoint").booleanValue()).isFalse();
        HttpResponse<String> saved = ask(
                "POST /checkpoints/" + id,
                "{\"state\":{\"v\":1},\"step_index\":1,\"metadata\":{\"_replay_log\":\"[{\\\"seq\\\":0}]\"}}");
        assertThat(at(saved, "/checkpoint/sequence").intValue()).isEqualTo(1);
        ask("POST /workers/nack", "{\"job_id\":\"%s\",\"error\":{\"type\":\"a\",\"message\":\"b\"}}".formatted(id));

        HttpResponse<String> again = ask("POST /workers/fetch", fetch);

        assertThat(at(again, "/jobs/0/checkpoint/state/v").intValue()).isEqualTo(1);
        HttpResponse<String> resumed = ask(resume, null);
        assertThat(at(resumed, "/has_checkpoint").booleanValue()).isTrue();
        assertThat(at(resumed, "/checkpoint/metadata/_replay_log").asString()).isEqualTo("[{\"seq\":0}]");
        ask("POST /workers/ack", "{\"job_id\":\"%s\"}".formatted(id));
        assertThat(ask("GET /jobs/" + id + "/checkpoint", null).statusCode()).isEqualTo(404);
    }

    @Test
    void an_sdk_reads_the_name_of_a_queue_from_its_statistics() throws Exception {
        HttpResponse<String> stats = ask("GET /queues/mail/stats", null, "OJS-Version", "1.0.0-rc.1");
        assertThat(at(stats, "/queue").asString()).isEqualTo("mail");
    }

    @Test
    void the_queue_of_a_schedule_stands_beside_its_expression_as_ruby_and_spring_send_it() throws Exception {
        String body =
                "{\"name\":\"report\",\"cron\":\"0 3 * * *\",\"timezone\":\"UTC\",\"type\":\"a\",\"args\":[],\"queue\":\"nightly\"}";
        assertThat(at(ask("POST /cron", body), "/queue").asString()).isEqualTo("nightly");
        ask("POST /cron/report/trigger", "{}");
        String fetch = "{\"queues\":[\"nightly\"],\"worker_id\":\"rb\",\"wait_ms\":10000}";
        assertThat(at(ask("POST /workers/fetch", fetch), "/jobs/0/queue").asString())
                .isEqualTo("nightly");
    }

    @Test
    void the_total_of_workflows_is_the_same_on_pages_of_every_size() throws Exception {
        for (int i = 0; i < 5; i++)
            ask("POST /workflows", "{\"type\":\"group\",\"name\":\"counted\",\"jobs\":[{\"type\":\"a\",\"args\":[]}]}");
        for (int size : new int[] {1, 2, 3, 5, 10})
            assertThat(at(ask("GET /workflows?name=counted&per_page=" + size, null), "/pagination/total")
                            .intValue())
                    .as("per_page=%d", size)
                    .isEqualTo(5);
    }

    /** Java, Go, Python and Rust send a batch so; its callback gets the error of the job, which an operator then retries. */
    @Test
    void a_batch_that_is_sent_as_steps_completes_although_a_job_failed_and_goes_on_after_a_retry() throws Exception {
        String once = "\"options\":{\"queue\":\"steps\",\"retry\":{\"max_attempts\":1}}";
        HttpResponse<String> made = ask("POST /workflows", """
                {"name":"b","steps":[{"id":"job-0","type":"a","args":[],%s,"depends_on":[]},
                {"id":"on-complete","type":"done","args":[],"depends_on":["job-0"],"options":{"queue":"steps"}}]}""".formatted(once));
        String workflow = "GET /workflows/" + at(made, "/workflow/id").asString();
        String fetch = "{\"queues\":[\"steps\"],\"worker_id\":\"py\",\"wait_ms\":10000}";
        String failed = at(ask("POST /workers/fetch", fetch), "/jobs/0/id").asString();
        ask(
                "POST /workers/nack",
                "{\"job_id\":\"%s\",\"error\":{\"code\":\"boom\",\"message\":\"b\"}}".formatted(failed));
        HttpResponse<String> callback = ask("POST /workers/fetch", fetch);
        assertThat(at(callback, "/jobs/0/parent_results/0/error/code").asString())
                .isEqualTo("boom");
        ask(
                "POST /workers/ack",
                "{\"job_id\":\"%s\"}".formatted(at(callback, "/jobs/0/id").asString()));
        Eventually.until(
                "the batch is completed",
                () -> at(ask(workflow, null), "/workflow/state").asString().equals("completed"));

        ask("POST /dead-letter/" + failed + "/retry", "{}");

        Eventually.until(
                "the batch goes on",
                () -> at(ask(workflow, null), "/workflow/state").asString().equals("running"));
    }

    @Test
    void the_page_finds_the_capability_that_its_menu_asks_for() throws Exception {
        assertThat(at(ask("GET /../manifest", null), "/capabilities").toString())
                .contains("\"cron\"");
    }

    /** It wants JSON, whose form no specification has, and shows zeros. */
    @Test
    void the_tool_gets_the_metrics_as_text_whatever_it_accepts() throws Exception {
        HttpResponse<String> metrics = ask("GET /metrics", null, "Accept", "application/json");
        assertThat(metrics.headers().firstValue("Content-Type"))
                .hasValueSatisfying(type -> assertThat(type).startsWith("text/plain"));
        assertThat(metrics.body()).contains("# HELP ojs_");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("requests")
    void is_answered_as_its_client_expects(Request request) throws Exception {
        HttpResponse<String> got = ask(named(request.line), named(request.body));

        assertThat(got.statusCode()).as(got.body()).isEqualTo(request.status);
        for (String pointer : request.reads)
            assertThat(at(got, pointer).isMissingNode())
                    .as("%s in %s", pointer, got.body())
                    .isFalse();
    }
}
