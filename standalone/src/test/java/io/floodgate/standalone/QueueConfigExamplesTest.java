package io.floodgate.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** Every example of OJS Queue Configuration, as it stands there. */
@Tag("server")
final class QueueConfigExamplesTest {
    private static final SpecExamples SPEC = SpecExamples.of("queue-config.md");
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    static Path directory;

    private static final Running RUNNING = new Running();
    private static int port;
    private static HttpApi api;

    private final HttpClient client = HttpClient.newHttpClient();

    @BeforeAll
    static void start() throws InterruptedException {
        port = Standalone.start(StandaloneConfig.in(directory.resolve("data")), RUNNING)
                .port();
        api = new HttpApi(port);
    }

    @AfterAll
    static void stop() {
        RUNNING.close();
    }

    @BeforeEach
    void forget() throws Exception {
        api.post("/ojs/v1/admin/reset", "");
    }

    @Test
    void none_is_left_out() {
        assertThat(SPEC.sections())
                .containsExactly(
                        "5.2 Implicit vs. Explicit Creation",
                        "5.3 Queue Deletion",
                        "7.1 Default Queue Policy",
                        "9.2 Create Queue",
                        "9.3 Get Queue Details",
                        "9.4 Delete Queue",
                        "13.1 High-Priority Payment Queue",
                        "13.2 Bulk Processing Queue with Drop-Oldest",
                        "13.3 Default Queue Policy for All Implicit Queues",
                        "13.4 Migrating Jobs Between Queues");
    }

    private HttpResponse<String> send(String example) throws Exception {
        return client.send(HttpExample.of(example).request(port, "default"), BodyHandlers.ofString());
    }

    private static void enqueue(String queue) throws Exception {
        api.post(
                "/ojs/v1/jobs",
                "{\"type\":\"payment.charge\",\"args\":[],\"options\":{\"queue\":\"%s\"}}".formatted(queue));
    }

    private static JsonNode configOf(String queue) throws Exception {
        return api.get("/ojs/v1/queues/" + queue).body().get("config");
    }

    /** What was decided is in force; the layers below may have decided more. */
    private static void holds(JsonNode decided, JsonNode config) {
        decided.properties().forEach(field -> {
            if (field.getValue().isObject()) holds(field.getValue(), config.path(field.getKey()));
            else assertThat(config.get(field.getKey())).as(field.getKey()).isEqualTo(field.getValue());
        });
    }

    @Test
    void a_queue_is_made_before_its_first_job() throws Exception {
        assertThat(send(SPEC.in("5.2")).statusCode()).isEqualTo(201);

        holds(JSON.readTree(HttpExample.of(SPEC.in("5.2")).body()).get("config"), configOf("payments"));
    }

    @Test
    void a_queue_is_deleted_and_its_jobs_move() throws Exception {
        enqueue("old-payments");
        enqueue("payments");

        assertThat(send(SPEC.in("5.3")).statusCode()).isEqualTo(202);

        Eventually.until(
                "both are in one queue",
                () -> api.get("/ojs/v1/queues/payments/stats")
                                .body()
                                .at("/depth")
                                .asInt()
                        == 2);
        Eventually.until("the other is gone", () -> api.statusOf("/ojs/v1/queues/old-payments") == 404);
    }

    @Test
    void the_policy_of_all_queues_holds_for_one_that_comes_with_its_first_job() throws Exception {
        for (String example : new String[] {
            SPEC.in("7.1"),
            "PUT /ojs/v1/queues/_default/config HTTP/1.1\nContent-Type: application/json\n\n" + SPEC.in("13.3")
        }) {
            assertThat(send(example).statusCode()).isEqualTo(200);
            JsonNode decided = JSON.readTree(HttpExample.of(example).body());

            holds(decided, api.get("/ojs/v1/queues/_default/config").body().get("config"));
            enqueue("new");
            Eventually.until(
                    "the queue's log has heard of it",
                    () -> configOf("new").at("/concurrency").equals(decided.at("/concurrency")));
            holds(decided, configOf("new"));
        }
    }

    @Test
    void creation_is_answered_with_the_whole_configuration() throws Exception {
        HttpResponse<String> answer = send(SPEC.in("9.2", 0));

        assertThat(answer.statusCode()).isEqualTo(201);
        JsonNode shown = JSON.readTree(SPEC.in("9.2", 1));
        JsonNode body = JSON.readTree(answer.body());
        assertThat(body.get("name")).isEqualTo(shown.get("name"));
        assertThat(body.get("state")).isEqualTo(shown.get("state"));
        assertThat(body.at("/created_at").asString()).matches("\\d{4}-\\d\\d-\\d\\dT.*Z");
        holds(shown.get("config"), body.get("config"));
    }

    /** Its configuration is left out there: only what surrounds it can be compared. */
    @Test
    void details_have_all_that_the_example_shows() throws Exception {
        send(SPEC.in("9.2", 0));
        enqueue("payments");
        String[] exchange = SPEC.in("9.3").split("\n(?=HTTP/1.1 )", 2);

        HttpResponse<String> answer = send(exchange[0]);

        assertThat(answer.statusCode())
                .isEqualTo(
                        Integer.parseInt(HttpExample.of(exchange[1]).firstLine().split(" ", -1)[1]));
        JsonNode shown =
                JSON.readTree(exchange[1].substring(exchange[1].indexOf('{')).replace("{ \"...\" }", "{}"));
        JsonNode body = JSON.readTree(answer.body());
        assertThat(body.propertyNames()).containsAll(shown.propertyNames());
        assertThat(body.get("stats").propertyNames())
                .containsAll(shown.get("stats").propertyNames());
        assertThat(body.at("/stats/depth").asInt()).isOne();
    }

    @Test
    void deletion_says_what_becomes_of_the_jobs() throws Exception {
        for (int i = 0; i < 42; i++) enqueue("old-payments");
        enqueue("payments");
        String[] exchange = SPEC.in("9.4").split("\n(?=HTTP/1.1 )", 2);

        HttpExample.of(exchange[1]).isShownBy(send(exchange[0]));
    }

    @Test
    void queues_of_all_kinds_are_made() throws Exception {
        for (String section : new String[] {"13.1", "13.2"}) {
            JsonNode made = JSON.readTree(SPEC.in(section));

            api.post("/ojs/v1/queues", SPEC.in(section));

            holds(made.get("config"), configOf(made.at("/name").asString()));
        }
    }

    @Test
    void a_queue_that_is_migrated_keeps_its_active_job_until_that_has_ended() throws Exception {
        enqueue("email");
        enqueue("legacy-emails");
        String running = api.post("/ojs/v1/workers/fetch", "{\"queues\":[\"legacy-emails\"]}")
                .text("/jobs/0/id");
        enqueue("legacy-emails");

        assertThat(send(SPEC.in("13.4")).statusCode()).isEqualTo(202);

        Eventually.until(
                "the other job has moved",
                () -> api.get("/ojs/v1/queues/email/stats")
                                .body()
                                .at("/available")
                                .asInt()
                        == 2);
        assertThat(api.get("/ojs/v1/queues/legacy-emails").text("/state")).isEqualTo("draining");
        api.post("/ojs/v1/workers/ack", "{\"job_id\":\"%s\"}".formatted(running));
        Eventually.until("it is gone", () -> api.statusOf("/ojs/v1/queues/legacy-emails") == 404);
    }
}
