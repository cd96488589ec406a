package io.floodgate.outbox;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Properties;
import java.util.function.Supplier;

/**
 * The settings of a reader.
 *
 * @param jdbcUrl of the database, with whatever its driver understands
 * @param login its properties, such as {@code user} and {@code password}; asked for at each connection
 * @param pollInterval time between two looks at a table that has had nothing new
 */
public record OutboxConfig(String jdbcUrl, Supplier<Properties> login, Duration pollInterval) {
    private static final String PREFIX = "jdbc:postgresql:";

    public OutboxConfig {
        if (!jdbcUrl.startsWith(PREFIX))
            throw new IllegalArgumentException("the database must be a URL that begins with " + PREFIX);
        if (pollInterval.compareTo(Duration.ofMillis(1)) < 0 || pollInterval.compareTo(Duration.ofMinutes(1)) > 0)
            throw new IllegalArgumentException("the poll interval must be from 1 ms to 1 minute");
    }

    /** Returns the address of the database, without its parameters. */
    public String address() {
        return jdbcUrl.replaceFirst("\\?.*", "");
    }

    /** Connects; a database that is silent is given up after a while. */
    Connection connect() throws SQLException {
        return connect(new Properties());
    }

    /** Connects to send several statements at a time, which the driver would take apart in the wrong places. */
    Connection connectForScript() throws SQLException {
        Properties properties = new Properties();
        properties.setProperty("preferQueryMode", "simple");
        return connect(properties);
    }

    private Connection connect(Properties properties) throws SQLException {
        properties.setProperty("ApplicationName", "floodgate-outbox");
        properties.setProperty("connectTimeout", "5");
        properties.setProperty("loginTimeout", "10");
        properties.setProperty("socketTimeout", "30");
        properties.setProperty("tcpKeepAlive", "true");
        properties.putAll(login.get());
        return DriverManager.getConnection(jdbcUrl, properties);
    }
}
