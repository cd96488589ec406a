package io.floodgate.verification.outbox;

import static io.floodgate.verification.client.RequestBodies.ACK;
import static io.floodgate.verification.client.RequestBodies.FETCH;
import static io.floodgate.verification.client.RequestBodies.ack;
import static io.floodgate.verification.client.RequestBodies.bounded;
import static io.floodgate.verification.client.RequestBodies.fetchFor;

import io.floodgate.verification.client.Await;
import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.Crew;
import io.floodgate.verification.client.EventTopic;
import io.floodgate.verification.client.Pause;
import io.floodgate.verification.crash.CrashReport.Claim;
import io.floodgate.verification.crash.SideLoad;
import io.floodgate.verification.outbox.OutboxJudge.Order;
import io.floodgate.verification.process.Child;
import io.floodgate.verification.process.Installation;
import io.floodgate.verification.process.PostgresServer;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Transactions that insert an order and the row of its job, one in ten of them rolled back; a PostgreSQL and two readers,
 * all of which are killed again and again; and workers of the queue, which is bounded and rejects.
 */
public final class OutboxLoad implements SideLoad {
    /** @param transactions how many there are, with those that are rolled back */
    public record Plan(int transactions, Path directory) {
        public Beginning beginning() {
            return (installation, seed) -> Optional.of(new OutboxLoad(this, installation, seed).begin());
        }
    }

    private static final Duration ONE_REQUEST = Duration.ofSeconds(15);
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final Duration UNTIL_ALL_ENDED = Duration.ofMinutes(20);
    private static final Duration LEASE = Duration.ofSeconds(10);
    private static final Duration BETWEEN_KILLS = Duration.ofSeconds(8);
    private static final Duration BETWEEN_TRANSACTIONS = Duration.ofMillis(15);
    private static final Duration BETWEEN_FETCHES = Duration.ofMillis(20);
    private static final int ROLLED_BACK_OF = 10;
    private static final int APPLICATIONS = 4;
    private static final int WORKERS = 2;
    private static final int MOST_JOBS = 50;
    private static final int BOUND = 300;
    private static final int SLOWEST = 99;

    private final Plan plan;
    private final List<String> urls;
    private final String queue;
    private final long seed;
    private final Crew applications = new Crew();
    private final Crew killer = new Crew();
    private final Crew workers = new Crew();
    private final List<Child> readers = new ArrayList<>();
    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger finished = new AtomicInteger();
    private final AtomicInteger rolledBack = new AtomicInteger();
    private final AtomicInteger databaseKills = new AtomicInteger();
    private final AtomicInteger readerKills = new AtomicInteger();
    private final Map<String, Instant> committed = new ConcurrentHashMap<>();
    private final Map<String, Order> orders = new TreeMap<>();
    private @Nullable PostgresServer postgres;

    private OutboxLoad(Plan plan, Installation installation, long seed) {
        this.plan = plan;
        this.seed = seed;
        urls = installation.urls();
        queue = "crash-outbox-" + seed;
    }

    private OutboxLoad begin() throws InterruptedException, TimeoutException {
        try {
            PostgresServer server = PostgresServer.start();
            postgres = server;
            Child migration = reader("outbox-migration", server, "--migrate");
            migration.start();
            Await.until("the outbox is there", PATIENCE, () -> migration.exitCode() == 0);
            execute(server, "CREATE TABLE orders (job uuid PRIMARY KEY, key int NOT NULL, number int NOT NULL)");
            try (Caller caller = new Caller(urls, 0, ONE_REQUEST)) {
                byte[] config = bounded("reject", "max_depth", BOUND);
                Await.until(
                        "the queue of the outbox has a bound",
                        PATIENCE,
                        () -> caller.call("PUT", "/ojs/v1/queues/%s/config".formatted(queue), config)
                                .isOk());
            }
            for (int i = 0; i < 2; i++) {
                readers.add(reader("outbox-" + i, server, "--url", urls.get(i % urls.size())));
                readers.getLast().start();
            }
            for (int key = 0; key < APPLICATIONS; key++)
                applications.add("application-" + key, new Application(server, key));
            for (int i = 0; i < WORKERS; i++) addWorker(i);
            killer.add("killer", killing(server));
            return this;
        } catch (IOException | SQLException failed) {
            throw new IllegalStateException("the outbox cannot be made", failed);
        }
    }

    private Child reader(String name, PostgresServer server, String... arguments) {
        List<String> line = new ArrayList<>(List.of("outbox", "--jdbc-url", server.jdbcUrl()));
        line.addAll(List.of(arguments));
        return new Child(name, line, plan.directory, "256m");
    }

    private static void execute(PostgresServer server, String sql) throws SQLException {
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** One after the other commits orders of a key. */
    private final class Application implements Crew.Member {
        private final PostgresServer server;
        private final int key;
        private final Random random;
        private int number;
        private @Nullable Connection connection;

        Application(PostgresServer server, int key) {
            this.server = server;
            this.key = key;
            random = new Random(seed + key);
        }

        @Override
        public void once() {
            if (begun.getAndIncrement() >= plan.transactions) {
                Pause.of(BETWEEN_KILLS.dividedBy(10));
                return;
            }
            try {
                transact();
            } catch (SQLException down) {
                // Whether it was committed, the database says at the end.
                close();
                Pause.of(Duration.ofMillis(200));
            }
            finished.incrementAndGet();
            Pause.of(BETWEEN_TRANSACTIONS);
        }

        private void transact() throws SQLException {
            Connection open = connection;
            if (open == null) {
                open = server.connect();
                connection = open;
                open.setAutoCommit(false);
            }
            try (PreparedStatement insert = open.prepareStatement("""
                    INSERT INTO orders (job, key, number) VALUES (
                      floodgate_enqueue('crash.order', jsonb_build_array(?::int), ?, jsonb_build_object('order_key', ?)),
                      ?, ?) RETURNING job""")) {
                insert.setInt(1, number);
                insert.setString(2, queue);
                insert.setString(3, "key-" + key);
                insert.setInt(4, key);
                insert.setInt(5, number++);
                String job;
                try (ResultSet inserted = insert.executeQuery()) {
                    job = inserted.next() ? inserted.getString(1) : "";
                }
                if (random.nextInt(ROLLED_BACK_OF) == 0) {
                    open.rollback();
                    rolledBack.incrementAndGet();
                } else {
                    open.commit();
                    committed.put(job, Instant.now());
                }
            }
        }

        @Override
        public void close() {
            try {
                if (connection != null) connection.close();
            } catch (SQLException gone) {
                // with the server
            }
            connection = null;
        }
    }

    private void addWorker(int number) {
        String worker = "%s-worker-%d".formatted(queue, number);
        Caller caller = new Caller(urls, number, ONE_REQUEST);
        byte[] fetch = fetchFor(LEASE.toMillis(), queue, worker, MOST_JOBS);
        workers.add(worker, caller, () -> {
            for (JsonNode job : caller.post(FETCH, fetch).body().path("jobs")) {
                String id = job.path("id").asString();
                var unused = caller.post(ACK, ack(id, job.path("lease").asLong()));
            }
            Pause.of(BETWEEN_FETCHES);
        });
    }

    /** Kills the database, one of the readers or both of them in turn. */
    private Crew.Member killing(PostgresServer server) {
        Random random = new Random(seed);
        Caller caller = new Caller(urls, 0, ONE_REQUEST);
        return new Crew.Member() {
            private long before;

            @Override
            public void once() {
                Pause.of(BETWEEN_KILLS);
                // Where a reader takes longer to start than that, nothing would ever come in.
                long completed = stats(caller).path("completed").asLong(before);
                if (completed == before) return;
                before = completed;
                try {
                    switch (random.nextInt(3)) {
                        case 0 -> {
                            server.kill();
                            databaseKills.incrementAndGet();
                            Pause.of(Duration.ofMillis(random.nextInt(3_000)));
                            server.resume();
                        }
                        case 1 -> again(readers.get(random.nextInt(readers.size())));
                        default -> {
                            for (Child reader : readers) again(reader);
                        }
                    }
                } catch (IOException | TimeoutException failed) {
                    throw new IllegalStateException("what was killed cannot be started", failed);
                } catch (InterruptedException end) {
                    Thread.currentThread().interrupt();
                }
            }

            @Override
            public void close() {
                caller.close();
            }
        };
    }

    private JsonNode stats(Caller caller) {
        return caller.get("/ojs/v1/queues/" + queue + "/stats").body();
    }

    private void again(Child reader) throws IOException, InterruptedException {
        reader.kill();
        readerKills.incrementAndGet();
        reader.start();
    }

    /** Waits until all transactions have been tried, kills nothing more, and waits until the outbox and the queue are empty. */
    @Override
    public void stop() throws InterruptedException, TimeoutException {
        PostgresServer server = postgres;
        if (server == null) throw new IllegalStateException("the load was not begun");
        Await.until("all transactions were tried", UNTIL_ALL_ENDED, () -> finished.get() >= plan.transactions);
        killer.close();
        applications.close();
        try (workers;
                Caller caller = new Caller(urls, 0, ONE_REQUEST)) {
            Await.until("the outbox is empty, and all its jobs have ended", UNTIL_ALL_ENDED, () -> {
                JsonNode stats = stats(caller);
                return count(server) == 0
                        && stats.path("available").asLong(-1) == 0
                        && stats.path("active").asLong(-1) == 0;
            });
        }
        try {
            readOrders(server);
        } catch (SQLException failed) {
            throw new IllegalStateException("the orders cannot be read", failed);
        }
    }

    private static long count(PostgresServer server) throws SQLException {
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT count(*) FROM floodgate_outbox")) {
            return rows.next() ? rows.getLong(1) : -1;
        }
    }

    private void readOrders(PostgresServer server) throws SQLException {
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT job, key, number FROM orders")) {
            while (rows.next()) orders.put(rows.getString(1), new Order(rows.getInt(2), rows.getInt(3)));
        }
    }

    @Override
    public boolean owns(String other) {
        return queue.equals(other);
    }

    @Override
    public List<Claim> claims(EventTopic events, Duration mostLate) {
        List<String> jobs = new ArrayList<>();
        List<Long> delays = new ArrayList<>();
        events.read(queue::equals, (key, event) -> {
            if (!event.path("type").asString().equals("job.enqueued")) return;
            String job = event.at("/data/job_id").asString("");
            jobs.add(job);
            Instant commit = committed.get(job);
            if (commit != null)
                delays.add(Duration.between(
                                commit, Instant.parse(event.path("time").asString()))
                        .toMillis());
        });
        delays.sort(null);
        OutboxJudge judge = new OutboxJudge(orders, jobs);
        return List.of(
                new Claim("each order that was committed is a job: %,d".formatted(orders.size()), judge.lost()),
                new Claim("no order is two jobs", judge.doubled()),
                new Claim(
                        "no order that was rolled back is a job: %,d were".formatted(rolledBack.get()),
                        judge.invented()),
                new Claim("the orders of a key come in in order", judge.disorder()),
                new Claim(
                        "from commit to job it took p50 %s, p99 %s, at most %s, over %d kills of PostgreSQL and %d of readers"
                                .formatted(
                                        share(delays, 50),
                                        share(delays, SLOWEST),
                                        share(delays, 100),
                                        databaseKills.get(),
                                        readerKills.get()),
                        delays.isEmpty() ? List.of("no order was committed") : List.of()));
    }

    private static String share(List<Long> sorted, int percent) {
        if (sorted.isEmpty()) return "?";
        return "%,d ms".formatted(sorted.get(Math.min(sorted.size() - 1, sorted.size() * percent / 100)));
    }

    @Override
    public void close() throws InterruptedException {
        applications.close();
        killer.close();
        workers.close();
        readers.forEach(Child::close);
        try {
            if (postgres != null) postgres.close();
        } catch (IOException left) {
            throw new IllegalStateException("the data of PostgreSQL cannot be deleted", left);
        }
    }
}
