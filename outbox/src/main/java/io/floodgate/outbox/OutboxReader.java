package io.floodgate.outbox;

import io.floodgate.client.Producer;
import io.micrometer.core.instrument.MeterRegistry;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the outbox of a database, and enqueues its rows. Of all readers of a table one reads, the others stand by: rows of
 * a queue are sent by one of them, in their order. One that was silent and is replaced may still send what it has read;
 * ids make that harmless.
 */
public final class OutboxReader implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OutboxReader.class);

    private static final Duration STANDBY = Duration.ofSeconds(1);
    private static final Duration FIRST_DELAY = Duration.ofMillis(100);
    private static final Duration LONGEST_DELAY = Duration.ofSeconds(5);
    private static final Duration BETWEEN_LOOKS_AT_THE_LAG = Duration.ofSeconds(5);
    private static final Duration CLOSING = Duration.ofSeconds(15);
    private static final int MOST_COUNTED = 100_000;

    /** Of rows in memory, in characters. */
    private static final long MOST_UNDER_WAY = 16L * 1024 * 1024;

    private final OutboxConfig config;
    private final Sender sender;
    private final OutboxQueues queues = new OutboxQueues();
    private final OutboxMeters meters;
    private final ExecutorService senders = Executors.newVirtualThreadPerTaskExecutor();
    private final Thread thread;
    private volatile OutboxState state = OutboxState.DISCONNECTED;
    private volatile boolean closed;
    private Duration delay = FIRST_DELAY;
    private long lagLookedAt;

    private OutboxReader(OutboxConfig config, Producer producer, MeterRegistry registry) {
        this.config = config;
        sender = new Sender(producer);
        meters = new OutboxMeters(registry, this, queues);
        thread = Thread.ofPlatform().name("floodgate-outbox").unstarted(this::run);
    }

    /**
     * Checks that there is an outbox, and begins to read it. A database that cannot be reached is waited for.
     *
     * @param producer not closed with the reader; best one without retries, since the reader tries again itself
     * @throws SQLException if the database says that it will not do: no such table, not this password
     */
    public static OutboxReader start(OutboxConfig config, Producer producer, MeterRegistry registry)
            throws SQLException {
        try (OutboxTable table = new OutboxTable(config.connect())) {
            table.lag(1);
        } catch (SQLException failure) {
            if (!isAway(failure)) throw failure;
            LOG.warn("The database of the outbox cannot be reached ({}); it is waited for.", failure.getMessage());
        }
        OutboxReader reader = new OutboxReader(config, producer, registry);
        reader.thread.start();
        return reader;
    }

    /** Returns whether the database is not there, is starting or ending, or has too many connections. */
    private static boolean isAway(SQLException failure) {
        String code = String.valueOf(failure.getSQLState());
        return code.startsWith("08") || code.startsWith("57") || code.startsWith("53");
    }

    public OutboxState state() {
        return state;
    }

    /** Returns how many rows wait, up to 100,000; 0 if this reader stands by. */
    public long rows() {
        return meters.lag().rows();
    }

    /** Returns the age of the oldest of them, in seconds. */
    public double oldestSeconds() {
        return meters.lag().oldestSeconds();
    }

    private void run() {
        while (!closed) {
            try (OutboxTable table = new OutboxTable(config.connect())) {
                standBy(table);
                while (!closed) round(table);
                end(table);
            } catch (SQLException failure) {
                disconnected(String.valueOf(failure.getMessage()));
            } catch (InterruptedException end) {
                break;
            } catch (RuntimeException failure) {
                LOG.error("Reading the outbox failed; it is tried again.", failure);
                disconnected(failure.toString());
            }
        }
        state = OutboxState.CLOSED;
    }

    private void standBy(OutboxTable table) throws SQLException, InterruptedException {
        while (!closed && !table.lock()) {
            if (state != OutboxState.STANDBY) LOG.info("Another reader reads the outbox; this one stands by.");
            state = OutboxState.STANDBY;
            queues.await(STANDBY);
        }
        if (closed) return;
        LOG.info("This reader reads the outbox.");
        state = OutboxState.ACTIVE;
        lagLookedAt = System.nanoTime() - BETWEEN_LOOKS_AT_THE_LAG.toNanos();
    }

    private void disconnected(String why) {
        if (closed) return;
        LOG.warn("The database of the outbox failed ({}); it is tried again in {} ms.", why, delay.toMillis());
        state = OutboxState.DISCONNECTED;
        meters.databaseFailed();
        meters.show(OutboxLag.NONE);
        try {
            queues.await(delay);
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        }
        delay = delay.multipliedBy(2).compareTo(LONGEST_DELAY) > 0 ? LONGEST_DELAY : delay.multipliedBy(2);
    }

    private void round(OutboxTable table) throws SQLException, InterruptedException {
        long begun = System.nanoTime();
        List<Delivery> settled = settle(table);
        long room = MOST_UNDER_WAY - queues.underWay();
        List<OutboxRow> rows = room > 0 ? table.read(withoutTaken(settled), room) : List.of();
        boolean looked = begun - lagLookedAt >= BETWEEN_LOOKS_AT_THE_LAG.toNanos();
        if (looked) {
            meters.show(table.lag(MOST_COUNTED));
            lagLookedAt = begun;
        }
        table.commit();
        queues.settle(settled);
        settled.forEach(this::report);
        delay = FIRST_DELAY;
        begin(rows);
        // A read that is slow, because of rows that were deleted and cannot be cleaned up yet, is not repeated at once.
        Duration took = Duration.ofNanos(System.nanoTime() - begun);
        queues.await(took.compareTo(config.pollInterval()) > 0 ? took : config.pollInterval());
    }

    private List<Delivery> settle(OutboxTable table) throws SQLException {
        List<Delivery> ended = queues.ended();
        table.settle(ended);
        return ended;
    }

    /** What is settled in the same transaction can be read. */
    private List<String> withoutTaken(List<Delivery> settled) {
        var free = settled.stream()
                .filter(each -> each.held() == null)
                .map(Delivery::queue)
                .collect(Collectors.toSet());
        return queues.taken().stream().filter(queue -> !free.contains(queue)).toList();
    }

    private void begin(List<OutboxRow> rows) {
        Map<String, List<OutboxRow>> byQueue =
                rows.stream().collect(Collectors.groupingBy(OutboxRow::queue, LinkedHashMap::new, Collectors.toList()));
        byQueue.forEach((queue, its) -> {
            int failures =
                    queues.begin(queue, its.stream().mapToLong(OutboxRow::size).sum());
            senders.execute(() -> send(queue, its, failures));
        });
    }

    private void send(String queue, List<OutboxRow> rows, int failures) {
        try {
            Delivery delivery = sender.send(queue, rows, failures);
            queues.end(delivery, rows.size() == OutboxTable.MOST_ROWS_OF_A_QUEUE && delivery.held() == null);
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException failure) {
            LOG.error("Rows of queue '{}' could not be sent; they are tried again.", queue, failure);
            queues.end(
                    new Delivery(
                            queue,
                            List.of(),
                            List.of(),
                            new Delivery.Held("client_failure", failure.toString(), Duration.ZERO)),
                    false);
        }
    }

    private void report(Delivery delivery) {
        meters.settled(delivery);
        if (delivery.rejected().isEmpty()) return;
        Delivery.Rejected first = delivery.rejected().getFirst();
        LOG.warn(
                "Row {} of queue '{}' can be no job ({}): {} It is in floodgate_outbox_rejected, with {} others.",
                first.row().id(),
                delivery.queue(),
                first.code(),
                first.message(),
                delivery.rejected().size() - 1);
    }

    /** Waits for what is under way for a while: what is not answered then is sent again by the next reader. */
    private void end(OutboxTable table) throws SQLException, InterruptedException {
        senders.shutdown();
        if (!senders.awaitTermination(CLOSING.toMillis(), TimeUnit.MILLISECONDS))
            LOG.warn("Some rows are under way; the next reader sends them again.");
        settle(table).forEach(this::report);
        table.commit();
    }

    @Override
    public void close() {
        closed = true;
        queues.wake();
        try {
            thread.join(2 * CLOSING.toMillis());
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        }
        senders.shutdownNow();
    }
}
