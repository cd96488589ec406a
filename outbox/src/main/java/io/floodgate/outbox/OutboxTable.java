package io.floodgate.outbox;

import io.floodgate.outbox.Delivery.Rejected;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** The outbox in its database, over one connection. */
final class OutboxTable implements AutoCloseable {
    /** The first half of the key of the advisory lock, "outb"; the other is the table. */
    private static final int LOCK = 0x6f757462;

    /** In memory at a time, beside what the limit in bytes allows. */
    private static final int ROWS_PER_FETCH = 64;

    static final int MOST_ROWS_OF_A_QUEUE = 500;

    /** All queues that there are: as many look-ups in the primary key. */
    private static final String QUEUES = """
            WITH RECURSIVE queues (queue) AS (
              (SELECT queue FROM floodgate_outbox ORDER BY queue LIMIT 1)
              UNION ALL
              SELECT (SELECT next.queue FROM floodgate_outbox next WHERE next.queue > queues.queue ORDER BY next.queue LIMIT 1)
              FROM queues WHERE queues.queue IS NOT NULL)
            """;

    /** From the queue on after which the last reading ended, so that each gets its turn. */
    private static final String READ = QUEUES + """
            SELECT found.queue, found.position, found.id, found.job
            FROM (SELECT queue FROM queues WHERE queue <> ALL (?) ORDER BY queue <= ?, queue) queues
            CROSS JOIN LATERAL (
              SELECT queue, position, id::text,
                (options || jsonb_build_object('id', id, 'type', type, 'queue', queue, 'args', args))::text AS job
              FROM floodgate_outbox outbox WHERE outbox.queue = queues.queue ORDER BY position LIMIT ?) found
            """;

    private static final String LAG = QUEUES + """
            SELECT
              (SELECT count(*) FROM (SELECT FROM floodgate_outbox LIMIT ?) counted),
              extract(epoch FROM clock_timestamp() - (
                SELECT min(first.created_at) FROM queues CROSS JOIN LATERAL (
                  SELECT created_at FROM floodgate_outbox outbox
                  WHERE outbox.queue = queues.queue ORDER BY position LIMIT 1) first))::float8,
              (SELECT count(*) FROM (SELECT FROM floodgate_outbox_rejected LIMIT ?) counted)
            """;

    private static final String DELETE = "DELETE FROM floodgate_outbox WHERE queue = ? AND position = ANY (?)";

    private static final String REJECT = """
            WITH gone AS (DELETE FROM floodgate_outbox WHERE queue = ? AND position = ? RETURNING *)
            INSERT INTO floodgate_outbox_rejected (id, queue, type, args, options, created_at, code, message)
            SELECT id, queue, type, args, options, created_at, ?, ? FROM gone
            """;

    private final Connection connection;
    private String last = "";

    /** @param connection closed with this one */
    OutboxTable(Connection connection) throws SQLException {
        this.connection = connection;
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            // A deletion that is lost in a crash only means that a row is sent again, with the same id.
            statement.execute("SET synchronous_commit = off");
        }
        connection.commit();
    }

    /**
     * Takes the lock of the one reader that reads. It ends with the connection.
     *
     * @return false if another reader has it
     */
    boolean lock() throws SQLException {
        try (PreparedStatement lock =
                connection.prepareStatement("SELECT pg_try_advisory_lock(?, 'floodgate_outbox'::regclass::oid::int)")) {
            lock.setInt(1, LOCK);
            try (ResultSet answer = lock.executeQuery()) {
                boolean locked = answer.next() && answer.getBoolean(1);
                connection.commit();
                return locked;
            }
        }
    }

    /** Deletes the rows that are jobs now, and keeps those that can never be apart. */
    void settle(List<Delivery> deliveries) throws SQLException {
        if (deliveries.isEmpty()) return;
        try (PreparedStatement delete = connection.prepareStatement(DELETE);
                PreparedStatement reject = connection.prepareStatement(REJECT)) {
            for (Delivery delivery : deliveries) {
                Long[] positions =
                        delivery.enqueued().stream().map(OutboxRow::position).toArray(Long[]::new);
                if (positions.length > 0) {
                    delete.setString(1, delivery.queue());
                    delete.setArray(2, connection.createArrayOf("bigint", positions));
                    delete.addBatch();
                }
                for (Rejected each : delivery.rejected()) addTo(reject, each);
            }
            delete.executeBatch();
            reject.executeBatch();
        }
    }

    private static void addTo(PreparedStatement reject, Rejected rejected) throws SQLException {
        reject.setString(1, rejected.row().queue());
        reject.setLong(2, rejected.row().position());
        reject.setString(3, rejected.code());
        // What a text of PostgreSQL cannot hold.
        reject.setString(4, rejected.message().replace('\0', ' '));
        reject.addBatch();
    }

    /** Reads rows of all queues but these, in the order of each queue, until they have this size. */
    List<OutboxRow> read(List<String> without, long size) throws SQLException {
        List<OutboxRow> rows = new ArrayList<>();
        try (PreparedStatement read = connection.prepareStatement(READ)) {
            read.setFetchSize(ROWS_PER_FETCH);
            read.setArray(1, connection.createArrayOf("text", without.toArray()));
            read.setString(2, last);
            read.setInt(3, MOST_ROWS_OF_A_QUEUE);
            long left = size;
            try (ResultSet found = read.executeQuery()) {
                while (left > 0 && found.next()) {
                    OutboxRow row =
                            new OutboxRow(found.getString(1), found.getLong(2), found.getString(3), found.getString(4));
                    rows.add(row);
                    left -= row.size();
                }
            }
        }
        if (!rows.isEmpty()) last = rows.getLast().queue();
        return rows;
    }

    /** @param most how many rows are counted */
    OutboxLag lag(int most) throws SQLException {
        try (PreparedStatement lag = connection.prepareStatement(LAG)) {
            lag.setInt(1, most);
            lag.setInt(2, most);
            try (ResultSet found = lag.executeQuery()) {
                if (!found.next()) throw new SQLException("the outbox did not say how many rows it has");
                return new OutboxLag(found.getLong(1), Math.max(0, found.getDouble(2)), found.getLong(3));
            }
        }
    }

    void commit() throws SQLException {
        connection.commit();
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
