package io.floodgate.outbox;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** The tables and functions of the outbox. */
public final class OutboxSchema {
    private OutboxSchema() {}

    /** Returns the statements that make them, or bring them up to date. */
    public static String sql() {
        try (InputStream resource = OutboxSchema.class.getResourceAsStream("outbox.sql")) {
            if (resource == null) throw new IllegalStateException("the resource outbox.sql is missing");
            return new String(resource.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Executes them, all or none. */
    public static void migrate(OutboxConfig config) throws SQLException {
        try (Connection connection = config.connectForScript();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            // Two at a time would both find that there is no table.
            statement.execute("SELECT pg_advisory_xact_lock(hashtext('floodgate_outbox'))");
            statement.execute(sql());
            connection.commit();
        }
    }
}
