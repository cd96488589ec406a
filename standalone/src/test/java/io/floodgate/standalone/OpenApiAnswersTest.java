package io.floodgate.standalone;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** Every operation of the OpenAPI document is called once on a running server, and its answer is as the document says. */
@Tag("server")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class OpenApiAnswersTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String QUEUE = "{\"filter\":{\"queue\":\"shown\",\"state\":\"cancelled\"},\"confirm\":true}";

    private static final String SCHEDULE =
            "{\"name\":\"shown\",\"expression\":\"* * * * * *\",\"type\":\"a\",\"queue\":\"shown\"}";
    private static final String WORKFLOW =
            "{\"type\":\"chain\",\"steps\":[{\"type\":\"a\",\"queue\":\"steps\",\"args\":[]},{\"type\":\"b\",\"args\":[]}]}";

    /** By operation; all others are sent an empty object, which they may reject. */
    private static final String SCHEMA = "{\"type\":\"shown\",\"version\":\"1.0\",\"schema\":{\"type\":\"array\"}}";

    private static final String SOURCE = "{\"topic\":\"shown\",\"queue\":\"shown\",\"job\":{\"type\":\"a\"}}";

    private static final String SINK = "{\"topic\":\"shown\"}";

    private static final String WEBHOOK =
            "{\"url\":\"https://example.invalid/hook\",\"events\":[\"job.never\"],\"timeout_ms\":1000}";

    private static final Map<String, String> BODIES = Map.ofEntries(
            Map.entry("job.enqueue", "{\"type\":\"a\",\"queue\":\"shown\",\"args\":[]}"),
            Map.entry("job.enqueue_batch", "{\"jobs\":[{\"type\":\"a\",\"queue\":\"shown\",\"args\":[]}]}"),
            Map.entry("job.enqueue_bulk", "{\"jobs\":[{\"type\":\"a\",\"queue\":\"shown\",\"args\":[]}]}"),
            Map.entry("worker.fetch", "{\"queues\":[\"shown\"],\"worker_id\":\"w1\",\"wait_ms\":0}"),
            Map.entry("worker.heartbeat", "{\"worker_id\":\"w1\"}"),
            Map.entry("schema.register", SCHEMA),
            Map.entry("admin.schema.put", SCHEMA),
            Map.entry("admin.schema.put_version", SCHEMA),
            Map.entry("queue.create", "{\"name\":\"made\"}"),
            Map.entry("queue.configure", "{\"max_size\":100}"),
            Map.entry("queue.limit", "{\"concurrency\":5}"),
            Map.entry("queue.pause", "{\"reason\":\"for a test\"}"),
            Map.entry("queue.purge", "{\"states\":[\"completed\"]}"),
            Map.entry("admin.queue.purge", "{\"states\":[\"completed\"],\"confirm\":true}"),
            Map.entry("rate_limit.override", "{\"concurrency\":1}"),
            Map.entry("admin.bulk.retry", "{\"filter\":{\"queue\":\"shown\"},\"dry_run\":true}"),
            Map.entry("admin.bulk.cancel", QUEUE),
            Map.entry("admin.bulk.delete", QUEUE),
            Map.entry("bulk.retry", QUEUE),
            Map.entry("bulk.cancel", QUEUE),
            Map.entry("bulk.delete", QUEUE),
            Map.entry("dead_letter.retry_many", QUEUE),
            Map.entry("admin.dead_letter.retry_many", QUEUE),
            Map.entry("admin.worker.direct", "{\"directive\":\"resume\"}"),
            Map.entry("cron.register", SCHEDULE),
            Map.entry("cron.register_all", "{\"managed_by\":\"me\",\"crons\":[%s]}".formatted(SCHEDULE)),
            Map.entry("cron.backfill", "{\"from\":\"2026-01-01T00:00:00Z\",\"to\":\"2026-01-01T00:00:05Z\"}"),
            Map.entry("cron.preview", "{\"expression\":\"30 2 * * *\",\"timezone\":\"Europe/Berlin\"}"),
            Map.entry("source.put", SOURCE),
            Map.entry("sink.put", SINK),
            Map.entry("sink.change", "{\"paused\":true}"),
            Map.entry("sink.rewind", "{\"to\":\"latest\"}"),
            Map.entry("source.change", "{\"paused\":true}"),
            Map.entry("source.rewind", "{\"to\":\"latest\"}"),
            Map.entry("webhook.create", WEBHOOK),
            Map.entry("webhook.change", "{\"active\":true}"),
            Map.entry("workflow.create", WORKFLOW),
            Map.entry("system.maintain", "{\"enabled\":false}"));

    private final HttpClient client = HttpClient.newHttpClient();
    private final Running running = new Running();
    private String address;
    private JsonNode document;
    private String job;
    private String dead;
    private String webhook;
    private String workflow;

    private record Operation(String path, String method, JsonNode json) {
        String id() {
            return json.path("operationId").asString();
        }

        String name() {
            return id().replaceFirst("_[0-9]+$", "");
        }

        String verb() {
            return method.toUpperCase(Locale.ROOT);
        }

        /** Empty if it takes none. */
        String body() {
            boolean takes = turn() != 0 && !method.equals("delete");
            return takes ? BODIES.getOrDefault(name(), "{}") : "";
        }

        /** Those last that take something away, and then the one that takes away all. */
        int turn() {
            return switch (method) {
                case "get" -> 0;
                case "delete" -> 2;
                default -> path.endsWith("/reset") ? 3 : 1;
            };
        }
    }

    @BeforeAll
    void start(@TempDir Path data) throws Exception {
        int port = Standalone.start(StandaloneConfig.in(data), running).port();
        address = "http://127.0.0.1:" + port;
        HttpApi http = new HttpApi(port);
        dead = http.post(
                        "/ojs/v1/jobs",
                        "{\"type\":\"a\",\"queue\":\"shown\",\"args\":[1],\"retry\":{\"max_attempts\":1}}")
                .text("/job/id");
        http.post("/ojs/v1/workers/fetch", BODIES.get("worker.fetch"));
        http.post(
                "/ojs/v1/workers/nack",
                "{\"job_id\":\"%s\",\"worker_id\":\"w1\",\"error\":{\"type\":\"E\",\"message\":\"m\"}}"
                        .formatted(dead));
        job = http.post(
                        "/ojs/v1/jobs",
                        "{\"type\":\"a\",\"queue\":\"shown\",\"args\":[],\"rate_limit\":{\"key\":\"api.partner\",\"concurrency\":2}}")
                .text("/job/id");
        workflow = http.post("/ojs/v1/workflows", WORKFLOW).text("/workflow/id");
        http.post("/ojs/v1/cron", SCHEDULE);
        http.post("/ojs/v1/schemas", SCHEMA);
        http.put("/ojs/v1/admin/sources/shown", SOURCE);
        http.put("/ojs/v1/admin/sinks/shown", SINK);
        webhook = http.post("/ojs/v1/webhooks/subscriptions", WEBHOOK).text("/subscription/id");
        // Its second run is skipped, since nothing ends the first one.
        Eventually.until(
                "an outcome",
                () -> !http.get("/ojs/v1/cron?last=true")
                        .text("/crons/0/last_outcome/outcome")
                        .isEmpty());
        document = http.get("/ojs/v1/openapi.json").body();
        Eventually.until(
                "a listed queue",
                () -> http.get("/ojs/v1/queues").body().toString().contains("\"name\":\"shown\""));
    }

    @AfterAll
    void stop() {
        running.close();
        client.close();
    }

    private List<Operation> operations() {
        List<Operation> operations = new ArrayList<>();
        document.path("paths")
                .propertyStream()
                .forEach(path -> path.getValue()
                        .propertyStream()
                        .forEach(method ->
                                operations.add(new Operation(path.getKey(), method.getKey(), method.getValue()))));
        operations.sort(Comparator.comparingInt(Operation::turn));
        return operations;
    }

    @Test
    void every_operation_answers_as_the_document_says() throws Exception {
        List<String> wrong = new ArrayList<>();
        List<String> rejected = new ArrayList<>();
        EndpointsPage page = new EndpointsPage(document);
        for (Operation operation : operations()) {
            HttpResponse<InputStream> answer = call(operation);
            int status = answer.statusCode();
            JsonNode documented =
                    operation.json().path("responses").path(status < 400 ? Integer.toString(status) : "default");
            if (status >= 400) rejected.add(operation.id());
            if (documented.isMissingNode()) wrong.add("%s: status %d".formatted(operation.id(), status));
            else
                check(operation, documented, answer, page)
                        .forEach(fault -> wrong.add("%s %d: %s".formatted(operation.id(), status, fault)));
        }
        assertThat(wrong).isEmpty();
        assertThat(rejected.size())
                .as("rejected: %s", rejected)
                .isLessThan(operations().size() / 3);
        if (Boolean.getBoolean("pages.write")) page.write();
        assertThat(Files.readAllLines(EndpointsPage.FILE))
                .as("update it with -Dpages.write=true")
                .containsAll(operations().stream()
                        .map(each -> EndpointsPage.heading(each.verb(), each.path()))
                        .toList());
    }

    private List<String> check(
            Operation operation, JsonNode documented, HttpResponse<InputStream> answer, EndpointsPage page)
            throws Exception {
        String type = answer.headers().firstValue("Content-Type").orElse("");
        try (InputStream body = answer.body()) {
            if (type.startsWith("text/event-stream")) {
                page.add(operation.json(), operation.verb(), operation.path(), path(operation), "", 200, "");
                return documented.at("/content/text~1event-stream").isObject() ? List.of() : List.of("a stream");
            }
            byte[] bytes = body.readAllBytes();
            boolean isUseful = answer.statusCode() < 400 && type.contains("json");
            page.add(
                    operation.json(),
                    operation.verb(),
                    operation.path(),
                    path(operation),
                    operation.body(),
                    answer.statusCode(),
                    isUseful ? new String(bytes, UTF_8) : "");
            JsonNode schema = documented.at("/content/application~1openjobspec+json/schema");
            if (schema.isMissingNode()) return List.of();
            if (!type.contains("json")) return List.of("it is " + type);
            return new JsonShape(document).faults(JSON.readTree(bytes), schema, operation.name());
        }
    }

    private String path(Operation operation) {
        return operation
                .path()
                .replace("{id}", id(operation.path()))
                .replace("{name}", "shown")
                .replace("{key}", "api.partner")
                .replace("{partition}", "0")
                .replace("{code}", "none")
                .replace("{file}", operation.path().startsWith("/ui/") ? "app.js" : "index.html")
                .replace("{section}", "how-to")
                .replace("{group}", "runbooks")
                .replace("{step}", "0")
                .replace("{type}", "shown")
                .replace("{version}", "1");
    }

    private HttpResponse<InputStream> call(Operation operation) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address + path(operation)));
        String body = operation.body();
        request.method(operation.verb(), body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        if (!body.isEmpty()) request.header("Content-Type", "application/json");
        return client.send(request.build(), BodyHandlers.ofInputStream());
    }

    private String id(String path) {
        if (path.contains("dead-letter")) return dead;
        if (path.contains("/schemas/")) return "shown";
        if (path.contains("/subscriptions/")) return webhook;
        if (path.contains("/workflows/")) return workflow;
        return path.contains("/workers/") ? "w1" : job;
    }

    @Test
    void an_answer_of_another_shape_would_be_found() {
        JsonNode wrong =
                JSON.readTree("{\"authentication\":\"maybe\",\"scopes\":[1],\"version\":\"1\",\"confined\":\"no\"}");
        JsonNode schema = JSON.readTree("{\"$ref\":\"#/components/schemas/WhoAmI\"}");

        assertThat(new JsonShape(document).faults(wrong, schema, "x"))
                .containsExactlyInAnyOrder(
                        "x: 'now' is missing",
                        "x.authentication: \"maybe\" is none of [\"keys\",\"off\"]",
                        "x.scopes[0]: 1 is no string",
                        "x.confined: \"no\" is no boolean",
                        "x.scopes[0]: 1 is none of [\"produce\",\"consume\",\"observe\",\"admin\"]");
    }
}
