package io.floodgate.standalone;

import io.floodgate.client.Producer;
import io.floodgate.client.ProducerMeters;
import io.floodgate.outbox.OutboxConfig;
import io.floodgate.outbox.OutboxReader;
import io.floodgate.outbox.OutboxSchema;
import io.floodgate.outbox.OutboxState;
import io.floodgate.standalone.metrics.ProcessMetrics;
import io.floodgate.topics.json.JsonOut;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "outbox",
        description = "Makes jobs of the rows that applications insert into a table of their PostgreSQL database.")
final class OutboxRole implements Callable<Integer> {
    /** The server's own wait for its partition is shorter. */
    private static final Duration DEADLINE = Duration.ofSeconds(20);

    @Spec
    CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--jdbc-url",
            paramLabel = "URL",
            description = "The database, such as jdbc:postgresql://db.example/shop, with parameters of its driver.")
    String jdbcUrl = "";

    @Option(names = "--jdbc-user", paramLabel = "NAME", description = "User of the database.")
    String jdbcUser = "";

    @Option(
            names = "--jdbc-password-file",
            paramLabel = "FILE",
            description = "File with the password of the database. Read for each connection.")
    @Nullable
    Path passwordFile;

    @Option(
            names = "--poll-interval",
            paramLabel = "DURATION",
            defaultValue = "PT0.025S",
            description = "Time between two looks at an outbox that had nothing new.")
    Duration pollInterval = Duration.ofMillis(25);

    @Option(
            names = "--url",
            paramLabel = "URL",
            defaultValue = "http://localhost:8080",
            description = "Address of the gateway, or of what is in front of several.")
    String url = "";

    @Option(
            names = "--key-file",
            paramLabel = "FILE",
            description = "File with an API key that may enqueue. Read for each request.")
    @Nullable
    Path keyFile;

    @Option(names = "--print-schema", description = "Only print the SQL that makes the tables and functions.")
    boolean printSchema;

    @Option(names = "--migrate", description = "Only make the tables and functions, or bring them up to date.")
    boolean migrate;

    @Mixin
    MetricsPortOptions metricsPort = new MetricsPortOptions();

    @Override
    public Integer call() throws InterruptedException {
        if (printSchema) {
            System.out.print(OutboxSchema.sql());
            return 0;
        }
        var config = config();
        try {
            if (migrate) {
                OutboxSchema.migrate(config);
                System.out.println("The outbox is there.");
                return 0;
            }
            read(config);
            return 0;
        } catch (SQLException e) {
            String hint = isUndefined(e) ? ". Make the outbox with --migrate, or --print-schema" : "";
            throw new CommandErrors.Rejection("the outbox cannot be read: " + e.getMessage() + hint);
        }
    }

    private void read(OutboxConfig config) throws SQLException, InterruptedException {
        try (var running = Running.untilTheProcessEnds()) {
            var metrics = running.add("metrics", new ProcessMetrics());
            var producer = running.add("producer", producer(metrics));
            var reader = running.add("reader", OutboxReader.start(config, producer, metrics.registry()));
            metricsPort.serve(running, () -> isReady(reader), () -> standing(reader), metrics);
            System.out.printf("The outbox of %s is read, for %s%n", config.address(), url);
            running.await();
        }
    }

    private Producer producer(ProcessMetrics metrics) {
        try {
            return Producer.http(url, this::headers)
                    .retries(0)
                    .deadline(DEADLINE)
                    // The reader lets each queue rest itself, and finds out what fits by a few rejections in a row.
                    .circuit(Integer.MAX_VALUE, DEADLINE)
                    .listener(new ProducerMeters(metrics.registry()))
                    .build();
        } catch (IllegalArgumentException e) {
            throw new CommandErrors.Rejection("--url: " + e.getMessage());
        }
    }

    private OutboxConfig config() {
        if (jdbcUrl.isEmpty())
            throw new CommandErrors.Rejection(
                    "--jdbc-url is missing, the database, such as" + " jdbc:postgresql://db.example/shop");
        boolean isArgument = spec.commandLine().getParseResult().hasMatchedOption("--jdbc-url");
        if (isArgument && jdbcUrl.toLowerCase(Locale.ROOT).contains("password="))
            throw new CommandErrors.Rejection("a password in --jdbc-url is seen by all who list processes: use"
                    + " --jdbc-password-file, or the variable FLOODGATE_JDBC_URL");
        try {
            return new OutboxConfig(jdbcUrl, this::login, pollInterval);
        } catch (IllegalArgumentException e) {
            throw new CommandErrors.Rejection(String.valueOf(e.getMessage()));
        }
    }

    private Properties login() {
        var login = new Properties();
        if (!jdbcUser.isEmpty()) login.setProperty("user", jdbcUser);
        if (passwordFile != null) login.setProperty("password", secret("--jdbc-password-file", passwordFile));
        return login;
    }

    private Map<String, String> headers() {
        return keyFile == null ? Map.of() : Map.of("Authorization", "Bearer " + secret("--key-file", keyFile));
    }

    private static String secret(String option, Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            throw new CommandErrors.Rejection("%s: cannot read %s".formatted(option, file));
        }
    }

    private static boolean isUndefined(SQLException failure) {
        return "42P01".equals(failure.getSQLState());
    }

    /** A reader that stands by is as it should be. */
    private static boolean isReady(OutboxReader reader) {
        return reader.state() == OutboxState.ACTIVE || reader.state() == OutboxState.STANDBY;
    }

    private static String standing(OutboxReader reader) {
        return JsonOut.object()
                .field("ready", isReady(reader))
                .field("state", reader.state().name().toLowerCase(Locale.ROOT))
                .field("rows", reader.rows())
                .field("oldest_seconds", Math.round(reader.oldestSeconds()))
                .endObject()
                .toString();
    }
}
