package io.floodgate.standalone;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.floodgate.standalone.ImportCommand.DeadLetters;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** A backup of one server that is imported into another one (OJS disaster recovery §9.4). */
@Tag("server")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class BackupTest {
    private final String later = Instant.now()
            .plus(5, ChronoUnit.HOURS)
            .truncatedTo(ChronoUnit.SECONDS)
            .toString();

    private final ByteArrayOutputStream said = new ByteArrayOutputStream();
    private Running running;
    private int from;
    private int to;
    private HttpApi old;
    private HttpApi fresh;
    private Path backup;

    @BeforeAll
    void start(@TempDir Path data) throws Exception {
        running = new Running();
        from = Standalone.start(StandaloneConfig.in(data.resolve("old")), running)
                .port();
        to = Standalone.start(StandaloneConfig.in(data.resolve("new")), running).port();
        old = new HttpApi(from);
        fresh = new HttpApi(to);
        backup = data.resolve("backup.json");
    }

    @AfterAll
    void stop() {
        running.close();
    }

    private static String enqueue(HttpApi server, String queue, String more) throws Exception {
        return server.post(
                        "/ojs/v1/jobs",
                        "{\"type\":\"a.b\",\"args\":[1.10,\"é\\u0001\"],\"queue\":\"%s\"%s}".formatted(queue, more))
                .text("/job/id");
    }

    private String fail(String queue, String more) throws Exception {
        String id = enqueue(old, queue, more);
        old.post("/ojs/v1/workers/fetch", "{\"queues\":[\"%s\"],\"worker_id\":\"w\"}".formatted(queue));
        old.post(
                "/ojs/v1/workers/nack",
                "{\"job_id\":\"%s\",\"error\":{\"type\":\"Broken\",\"message\":\"it broke\"}}".formatted(id));
        return id;
    }

    private JsonNode exported() throws Exception {
        ExportCommand export = new ExportCommand();
        export.server.url = "http://127.0.0.1:" + from;
        try (var out = Files.newOutputStream(backup)) {
            export.write(out, new PrintStream(said, true, UTF_8));
        }
        return new ObjectMapper().readTree(backup).at("/ojs_backup/contents");
    }

    /** Returns what it has said. */
    private String imported(int status, DeadLetters deadLetters) {
        ImportCommand command = new ImportCommand();
        command.server.url = "http://127.0.0.1:" + to;
        command.file = backup;
        command.deadLetters = deadLetters;
        said.reset();
        assertThat(command.run(new PrintStream(said, true, UTF_8)))
                .as(said.toString(UTF_8))
                .isEqualTo(status);
        return said.toString(UTF_8);
    }

    private JsonNode job(String id) throws Exception {
        return fresh.get("/ojs/v1/jobs/" + id).body().at("/job");
    }

    @Test
    void a_job_of_each_state_a_schedule_and_a_dead_letter_come_back() throws Exception {
        String available = enqueue(
                old,
                "states",
                ",\"priority\":7,\"meta\":{\"k\":\"v\"},\"x_team\":{\"n\":1e400},\"retry\":{\"max_attempts\":9},\"unique\":{\"keys\":[\"type\",\"queue\"]}");
        String scheduled = enqueue(old, "later", ",\"scheduled_at\":\"%s\"".formatted(later));
        String pending = enqueue(old, "held", ",\"pending\":true");
        String retryable = fail("again", ",\"retry\":{\"initial_interval\":\"PT1H\",\"jitter\":false}");
        String dead = fail("dead", ",\"retry\":{\"max_attempts\":1}");
        String active = enqueue(old, "active", "");
        old.post("/ojs/v1/workers/fetch", "{\"queues\":[\"active\"],\"worker_id\":\"w\"}");
        old.post(
                "/ojs/v1/workflows",
                "{\"type\":\"chain\",\"steps\":[{\"type\":\"s\",\"args\":[]},{\"type\":\"t\",\"args\":[]}]}");
        old.post(
                "/ojs/v1/cron",
                "{\"name\":\"daily\",\"expression\":\"@daily\",\"timezone\":\"Europe/Berlin\",\"enabled\":false,\"job_template\":{\"type\":\"c\",\"args\":[1],\"queue\":\"cron\"}}");

        JsonNode contents = exported();

        assertThat(contents.at("/jobs")).hasSize(5);
        assertThat(said.toString(UTF_8))
                .contains(
                        "Exported jobs: 5 {active=1, available=1, pending=1, retryable=1, scheduled=1}; schedules: 1; dead letters: 1.")
                .contains("Left out: 1 of workflows");

        assertThat(imported(0, DeadLetters.skip))
                .contains("Imported jobs: 5; there already: 0.")
                .contains("Registered schedules: 1; there already, and left as they are: 0.")
                .contains("Left out: 1 dead letters");
        JsonNode job = job(available);
        assertThat(job.at("/args").toString())
                .isEqualTo(contents.at("/jobs/0/args").toString());
        assertThat(fresh.text("/ojs/v1/jobs/" + available)).contains("\"args\":[1.10,", "\"x_team\":{\"n\":1e400}");
        assertThat(job.at("/priority").asInt()).isEqualTo(7);
        assertThat(job.at("/max_attempts").asInt()).isEqualTo(9);
        assertThat(job.at("/meta/k").asString()).isEqualTo("v");
        assertThat(job.at("/state").asString()).isEqualTo("available");
        assertThat(job.has("unique_key")).isTrue();
        assertThat(job(scheduled).at("/scheduled_at").asString()).startsWith(later.substring(0, 19));
        assertThat(job(pending).at("/state").asString()).isEqualTo("pending");
        assertThat(job(retryable).at("/state").asString()).isEqualTo("scheduled");
        assertThat(job(retryable).at("/scheduled_at"))
                .isEqualTo(old.get("/ojs/v1/jobs/" + retryable).body().at("/job/next_attempt_at"));
        assertThat(job(active).at("/state").asString()).isEqualTo("available");
        assertThat(fresh.get("/ojs/v1/cron/daily").body().at("/cron/enabled").asBoolean(true))
                .isFalse();
        assertThat(fresh.get("/ojs/v1/cron/daily").text("/cron/timezone")).isEqualTo("Europe/Berlin");
        assertThat(fresh.statusOf("/ojs/v1/jobs/" + dead)).isEqualTo(404);

        assertThat(imported(0, DeadLetters.retry))
                .contains("Imported jobs: 1; there already: 5.")
                .contains("Registered schedules: 0; there already, and left as they are: 1.");
        assertThat(job(dead).at("/state").asString()).isEqualTo("available");
        assertThat(imported(0, DeadLetters.retry)).contains("Imported jobs: 0; there already: 6.");
    }

    /** As after an import that was interrupted, among them one that this server does not take. */
    @Test
    void an_import_goes_on_where_another_one_has_ended() throws Exception {
        StringBuilder jobs = new StringBuilder();
        for (int i = 0; i < 1_200; i++) {
            String id = "019539a4-b68c-7def-8000-%012x".formatted(i);
            jobs.append(i == 0 ? "" : ",")
                    .append("{\"id\":\"%s\",\"type\":\"%s\",\"args\":[],\"queue\":\"many-%d\",\"state\":\"available\"}"
                            .formatted(id, i == 702 ? "No Type" : "a", i % 2));
            if (i % 7 == 0)
                fresh.post(
                        "/ojs/v1/jobs",
                        "{\"id\":\"%s\",\"type\":\"a\",\"args\":[],\"queue\":\"many-%d\"}".formatted(id, i % 2));
        }
        String all = "{\"ojs_backup\":{\"version\":\"1.0.0\",\"contents\":{\"jobs\":[%s]}}}".formatted(jobs);
        // Cut off, as if the export had been interrupted, too.
        Files.writeString(backup, all.substring(0, all.length() / 2));
        assertThatThrownBy(() -> imported(0, DeadLetters.skip)).hasMessageContaining("the export did not complete");
        Files.writeString(backup, all);

        assertThat(imported(1, DeadLetters.skip))
                .contains("job 019539a4-b68c-7def-8000-0000000002be was not imported: ")
                .contains("Rejected: 1,");
        assertThat(imported(1, DeadLetters.skip)).contains("Imported jobs: 0; there already: 1199.");
        assertThat(fresh.get("/ojs/v1/queues/many-0")
                        .body()
                        .findValue("available")
                        .asInt())
                .isEqualTo(599);
    }

    @Test
    void a_full_queue_is_waited_for() throws Exception {
        fresh.put("/ojs/v1/queues/narrow/config", "{\"max_size\":1}");
        String first = enqueue(fresh, "narrow", "");
        Files.writeString(
                backup,
                "{\"ojs_backup\":{\"contents\":{\"jobs\":[{\"id\":\"019539a4-b68c-7def-8000-00000000ffff\",\"type\":\"a\",\"args\":[],\"queue\":\"narrow\"}]}}}");
        Thread importing = Thread.ofVirtual().start(() -> imported(0, DeadLetters.skip));

        Eventually.until("the import waits", () -> said.toString(UTF_8).contains("waiting: "));
        fresh.delete("/ojs/v1/jobs/" + first);

        importing.join();
        assertThat(said.toString(UTF_8)).contains("Imported jobs: 1;");
    }

    @Test
    void what_is_no_backup_is_rejected() throws Exception {
        Files.writeString(backup, "{\"jobs\":[]}");
        assertThatThrownBy(() -> imported(0, DeadLetters.skip)).hasMessageContaining("this is no backup");
    }

    @Test
    void a_dead_letter_goes_back_to_where_it_died() {
        byte[] job = """
                {"id":"i","type":"a","args":[],"queue":"dlq","state":"discarded","unique_key":"k",
                 "dead_letter":{"original_queue":"email"}}""".getBytes(UTF_8);

        assertThat(Backup.toEnqueue(requireNonNull(Backup.members(job))))
                .asString(UTF_8)
                .isEqualTo("{\"id\":\"i\",\"type\":\"a\",\"args\":[],\"queue\":\"email\",\"state\":\"discarded\"}");
    }
}
