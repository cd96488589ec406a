package io.floodgate.verification.outbox;

import static io.floodgate.verification.client.RequestBodies.bounded;
import static io.floodgate.verification.client.RequestBodies.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.verification.client.Await;
import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.Caller.Heard;
import io.floodgate.verification.process.Child;
import io.floodgate.verification.process.Installation;
import io.floodgate.verification.process.Installation.Layout;
import io.floodgate.verification.process.Ports;
import io.floodgate.verification.process.PostgresServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Rows of a real PostgreSQL become jobs of a real server: all of it processes that can be killed. */
@Tag("server")
final class OutboxTest {
    private static final Duration PATIENCE = Duration.ofSeconds(150);

    @TempDir
    static Path directory;

    private static Installation floodgate;
    private static PostgresServer postgres;
    private static Child reader;
    private static int readerPort;
    private static Caller api;
    private static int number;

    private String queue;

    @BeforeAll
    static void start() throws Exception {
        Optional<String> missing = PostgresServer.missing();
        Assumptions.assumeTrue(missing.isEmpty(), () -> missing.orElse(""));
        floodgate = Layout.node(directory, 2).make();
        floodgate.start(PATIENCE);
        postgres = PostgresServer.start();
        Child migration = outbox("migration", "--migrate");
        migration.start();
        Await.until("the outbox is there", PATIENCE, () -> migration.exitCode() == 0);
        sql("CREATE TABLE orders (job uuid)");
        readerPort = Ports.free();
        reader = outbox("reader", "--metrics-port", Integer.toString(readerPort));
        reader.start();
        Await.until("it reads", PATIENCE, () -> state(readerPort).equals("active"));
        api = new Caller(floodgate.urls(), 0, Duration.ofSeconds(15));
        Await.until(
                "the server answers", PATIENCE, () -> api.get("/ojs/v1/queues").isOk());
    }

    @AfterAll
    static void stop() throws Exception {
        if (api != null) api.close();
        if (reader != null) reader.close();
        if (postgres != null) postgres.close();
        if (floodgate != null) floodgate.close();
    }

    @BeforeEach
    void chooseQueue() {
        queue = "outbox-" + number++;
    }

    private static Child outbox(String name, String... arguments) {
        List<String> line = new ArrayList<>(List.of("outbox", "--jdbc-url", postgres.jdbcUrl(), "--url"));
        line.add(floodgate.urls().getFirst());
        line.addAll(List.of(arguments));
        return new Child(name, line, directory, "128m");
    }

    private static String state(int port) {
        try (Caller caller = new Caller("http://127.0.0.1:" + port, PATIENCE)) {
            return caller.get("/ready").body().path("state").asString("");
        }
    }

    private static List<String> sql(String... statements) throws SQLException {
        List<String> found = new ArrayList<>();
        try (Connection connection = postgres.connect();
                Statement statement = connection.createStatement()) {
            for (String each : statements)
                if (statement.execute(each))
                    try (ResultSet rows = statement.getResultSet()) {
                        while (rows.next()) found.add(rows.getString(1));
                    }
        }
        return found;
    }

    private String enqueue(String options) throws SQLException {
        return sql("SELECT floodgate_enqueue('order.placed', '[7]', '%s', '%s')".formatted(queue, options))
                .getFirst();
    }

    private static JsonNode job(String id) {
        return api.get("/ojs/v1/jobs/" + id).body().path("job");
    }

    private static void awaitJob(String id) throws Exception {
        Await.until("row %s is a job".formatted(id), PATIENCE, () -> !job(id).isMissingNode());
    }

    private void awaitNoRows() throws Exception {
        Await.until(
                "the rows are gone",
                PATIENCE,
                () -> sql("SELECT 1 FROM floodgate_outbox WHERE queue = '%s'".formatted(queue))
                        .isEmpty());
    }

    private void bound(long bound) {
        Heard answer =
                api.call("PUT", "/ojs/v1/queues/%s/config".formatted(queue), bounded("reject", "max_depth", bound));
        assertThat(answer.isOk()).as(answer.shown()).isTrue();
    }

    /** The ids of available jobs, in the order in which they came in. */
    private List<String> fetchAll() {
        List<String> ids = new ArrayList<>();
        JsonNode jobs;
        do {
            jobs = api.post(
                            "/ojs/v1/workers/fetch",
                            json("{'queues':['%s'],'worker_id':'w','count':100,'visibility_timeout_ms':600000}", queue))
                    .body()
                    .path("jobs");
            for (JsonNode job : jobs) ids.add(job.path("id").asString());
        } while (!jobs.isEmpty());
        return ids;
    }

    @Test
    void a_row_becomes_a_job_with_its_options_and_the_id_that_the_transaction_was_given() throws Exception {
        String id =
                enqueue("{\"priority\": 5, \"order_key\": \"ada\", \"meta\": {\"a\": 1}, \"scheduled_at\": \"+PT1H\"}");
        awaitJob(id);
        JsonNode job = job(id);
        assertThat(job.path("type").asString()).isEqualTo("order.placed");
        assertThat(job.at("/args/0").asInt()).isEqualTo(7);
        assertThat(job.path("queue").asString()).isEqualTo(queue);
        assertThat(job.path("priority").asInt()).isEqualTo(5);
        assertThat(job.path("order_key").asString()).isEqualTo("ada");
        assertThat(job.at("/meta/a").asInt()).isEqualTo(1);
        assertThat(job.path("state").asString()).isEqualTo("scheduled");
        awaitNoRows();
    }

    @Test
    void a_transaction_that_is_rolled_back_leaves_no_job_and_its_rows_come_in_in_their_order_if_it_is_committed()
            throws Exception {
        String enqueue = "INSERT INTO orders SELECT floodgate_enqueue('order.placed', jsonb_build_array(n), '%s')"
                        .formatted(queue)
                + " FROM generate_series(1, 1200) n RETURNING job";
        List<String> rolledBack = sql("BEGIN", enqueue, "ROLLBACK");
        List<String> committed = sql("BEGIN", enqueue, "COMMIT");
        awaitJob(committed.getLast());
        awaitNoRows();
        assertThat(job(rolledBack.getFirst()).isMissingNode()).isTrue();
        assertThat(fetchAll()).isEqualTo(committed);
    }

    @Test
    void what_can_be_no_job_is_kept_apart_with_the_reason_and_holds_up_nothing() throws Exception {
        String before = enqueue("{}");
        String wrong = enqueue("{\"priority\": \"high\"}");
        String after = enqueue("{}");
        awaitJob(after);
        awaitNoRows();
        assertThat(fetchAll()).containsExactly(before, after);
        assertThat(sql(("SELECT code || ' ' || message || ' ' || options FROM floodgate_outbox_rejected"
                                + " WHERE id = '%s'")
                        .formatted(wrong)))
                .singleElement()
                .asString()
                .contains("invalid_", "priority", "high");
        assertThat(state(readerPort)).isEqualTo("active");
    }

    @Test
    void a_unique_job_that_is_there_already_is_rejected_alone() throws Exception {
        String unique = "{\"unique\": {\"key\": [\"args\"], \"on_conflict\": \"reject\"}}";
        String first = enqueue(unique);
        awaitJob(first);
        String second = enqueue(unique);
        String other = enqueue("{}");
        awaitJob(other);
        awaitNoRows();
        assertThat(job(second).isMissingNode()).isTrue();
        assertThat(sql("SELECT code FROM floodgate_outbox_rejected WHERE id = '%s'".formatted(second)))
                .containsExactly("duplicate");
    }

    @Test
    void a_full_queue_keeps_its_rows_in_order_and_holds_up_no_other() throws Exception {
        bound(3);
        List<String> ids =
                sql("INSERT INTO orders SELECT floodgate_enqueue('order.placed', '[]', '%s')".formatted(queue)
                        + " FROM generate_series(1, 600) RETURNING job");
        awaitJob(ids.get(2));
        String full = queue;
        chooseQueue();
        awaitJob(enqueue("{}"));
        queue = full;
        assertThat(job(ids.get(3)).isMissingNode()).isTrue();
        String left = "SELECT id FROM floodgate_outbox WHERE queue = '%s' ORDER BY position".formatted(queue);
        Await.until("the others wait", PATIENCE, () -> sql(left).equals(ids.subList(3, 600)));

        bound(1_000);
        awaitJob(ids.getLast());
        awaitNoRows();
        assertThat(fetchAll()).isEqualTo(ids);
    }

    @Test
    void the_database_checks_what_it_can_in_the_transaction() {
        for (String wrong : List.of("'{}', 'q'", "'[]', 'q', '[]'", "jsonb_build_array(repeat('x', 1100000)), 'q'"))
            assertThat(org.assertj.core.api.Assertions.catchThrowable(
                            () -> sql("SELECT floodgate_enqueue('order.placed', %s)".formatted(wrong))))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("floodgate_outbox_");
    }

    @Test
    void each_row_becomes_a_job_once_while_database_reader_and_server_are_killed_and_another_reader_takes_over()
            throws Exception {
        int secondPort = Ports.free();
        Child second = outbox("second-reader", "--metrics-port", Integer.toString(secondPort));
        try {
            second.start();
            Await.until("it stands by", PATIENCE, () -> state(secondPort).equals("standby"));
            List<String> ids = new ArrayList<>();
            for (Runnable blow : blows()) {
                for (int i = 0; i < 40; i++) ids.add(enqueue("{}"));
                blow.run();
                for (int i = 0; i < 40; i++) ids.add(enqueue("{}"));
                awaitJob(ids.getLast());
            }
            awaitNoRows();
            assertThat(fetchAll()).isEqualTo(ids);
        } finally {
            second.close();
            if (!reader.isAlive()) reader.start();
        }
    }

    private static List<Runnable> blows() {
        return List.of(
                () -> unchecked(() -> {
                    postgres.kill();
                    postgres.resume();
                }),
                () -> unchecked(() -> {
                    Child node = floodgate.members().getFirst().process();
                    node.kill();
                    node.start();
                }),
                // The other one has had time to stand by again, and reads from here on.
                () -> unchecked(reader::kill));
    }

    private interface Blow {
        void strike() throws Exception;
    }

    private static void unchecked(Blow blow) {
        try {
            blow.strike();
        } catch (Exception failed) {
            throw new IllegalStateException(failed);
        }
    }
}
