package io.floodgate.verification.process;

import io.floodgate.verification.client.Await;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A PostgreSQL of this machine with data of its own, that can be killed and started again at the same address. */
public final class PostgresServer implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    /** Where Debian has it, one directory for each version. */
    private static final Path DEBIAN = Path.of("/usr/lib/postgresql");

    private static final boolean IS_ROOT = "root".equals(System.getProperty("user.name"));

    private final Path programs;
    private final Path directory;
    private final int port = Ports.free();
    private @Nullable Process process;

    private PostgresServer(Path programs, Path directory) {
        this.programs = programs;
        this.directory = directory;
    }

    /** Says what it takes, if that is not there. */
    public static Optional<String> missing() {
        if (programs().isEmpty()) return Optional.of("PostgreSQL is not there (Debian: apt install postgresql)");
        return IS_ROOT && NativeProgram.isMissing("setpriv")
                ? Optional.of(
                        "PostgreSQL does not run as root, and setpriv is not there (Debian: apt install util-linux)")
                : Optional.empty();
    }

    private static Optional<Path> programs() {
        try (Stream<Path> versions = Files.isDirectory(DEBIAN) ? Files.list(DEBIAN) : Stream.empty()) {
            Stream<Path> path = Stream.of(System.getenv("PATH").split(":", -1)).map(Path::of);
            return Stream.concat(versions.sorted(Comparator.reverseOrder()).map(each -> each.resolve("bin")), path)
                    .filter(each -> Files.isExecutable(each.resolve("initdb")))
                    .findFirst();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Makes one, and starts it. All on this machine can connect to it, as the user {@code postgres}. */
    public static PostgresServer start() throws IOException, InterruptedException, TimeoutException {
        Path directory = Files.createTempDirectory("floodgate-postgres");
        PostgresServer server = new PostgresServer(programs().orElseThrow(), directory);
        Runtime.getRuntime().addShutdownHook(new Thread(server::destroy, "postgres"));
        if (IS_ROOT) server.run(List.of("chown", "nobody", directory.toString()));
        server.run(server.command("initdb", "-D", server.data(), "-A", "trust", "-U", "postgres", "-E", "UTF8", "-N"));
        server.resume();
        return server;
    }

    private String data() {
        return directory.resolve("data").toString();
    }

    public String jdbcUrl() {
        return "jdbc:postgresql://127.0.0.1:%d/postgres?user=postgres".formatted(port);
    }

    public Connection connect() throws SQLException {
        return DriverManager.getConnection(jdbcUrl() + "&connectTimeout=5&socketTimeout=30");
    }

    /** As its first start, after it was killed. */
    public void resume() throws IOException, InterruptedException, TimeoutException {
        process = builder(command(
                        "postgres",
                        "-D",
                        data(),
                        "-p",
                        Integer.toString(port),
                        "-c",
                        "listen_addresses=127.0.0.1",
                        "-c",
                        "unix_socket_directories="))
                .start();
        Await.until("PostgreSQL accepts connections", PATIENCE, () -> {
            try (Connection connection = connect()) {
                return connection.isValid(5);
            }
        });
    }

    /** As {@code kill -9} of all its processes does. */
    public void kill() throws InterruptedException {
        destroy();
        if (process != null) process.waitFor();
    }

    private void destroy() {
        Process running = process;
        if (running == null) return;
        List<ProcessHandle> children = running.descendants().toList();
        running.destroyForcibly();
        children.forEach(ProcessHandle::destroyForcibly);
    }

    /** It replaces setpriv, so that the process that we start is PostgreSQL. */
    private List<String> command(String program, String... arguments) {
        List<String> line = new ArrayList<>();
        if (IS_ROOT) line.addAll(List.of("setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"));
        line.add(programs.resolve(program).toString());
        line.addAll(List.of(arguments));
        return line;
    }

    private ProcessBuilder builder(List<String> line) {
        return new ProcessBuilder(line)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(Redirect.appendTo(log().toFile()));
    }

    private Path log() {
        return directory.resolveSibling(directory.getFileName() + ".log");
    }

    private void run(List<String> line) throws IOException, InterruptedException {
        Process started = builder(line).start();
        boolean ended = started.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        if (!ended || started.exitValue() != 0)
            throw new IOException("%s failed: %s".formatted(line, Files.readString(log(), StandardCharsets.UTF_8)));
    }

    /** Its data goes with it. */
    @Override
    public void close() throws InterruptedException, IOException {
        kill();
        Files.deleteIfExists(log());
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) Files.deleteIfExists(file);
        }
    }
}
