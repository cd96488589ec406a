package io.floodgate.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.floodgate.standalone.settings.SettingSource;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The {@code Dockerfile}, and the scripts of archive and image, as far as they can be tried without containers. */
@Tag("server")
final class ImageTest {
    private static final Path SCRIPTS =
            Path.of("../packaging/bin").toAbsolutePath().normalize();
    private static final Pattern VARIABLE = Pattern.compile("(FLOODGATE_\\w+)=(\\S+)");
    private static final Pattern SCRIPT = Pattern.compile("/opt/floodgate/bin/(\\w+)");

    @TempDir
    Path directory;

    private final String file;
    private final Map<String, String> environment = new TreeMap<>();

    ImageTest() throws IOException {
        file = Files.readString(Path.of("../Dockerfile"));
        String variables =
                file.lines().filter(line -> line.startsWith("ENV ")).findFirst().orElseThrow();
        VARIABLE.matcher(variables)
                .results()
                .forEach(variable -> environment.put(variable.group(1), variable.group(2)));
    }

    @Test
    void names_scripts_that_are_there_and_can_be_run() {
        assertThat(SCRIPT.matcher(file).results().map(found -> found.group(1)).distinct())
                .contains("entrypoint", "healthcheck", "floodgate")
                .allMatch(name -> Files.isExecutable(SCRIPTS.resolve(name)));
    }

    @Test
    void starts_up_on_all_addresses_with_its_data_in_the_volume() {
        assertThat(file).contains("VOLUME " + environment.get("FLOODGATE_DATA") + "\n");
        var up = Floodgate.commandLine(new SettingSource(environment, Map.of())).parseArgs("up", "--no-auth");
        assertThat(up.subcommand().commandSpec().findOption("--host").<String>getValue())
                .isEqualTo("0.0.0.0");
    }

    @Test
    void lets_up_serve_without_keys_and_no_other_role() throws Exception {
        Files.copy(SCRIPTS.resolve("entrypoint"), directory.resolve("entrypoint"));
        Path floodgate =
                Files.writeString(directory.resolve("floodgate"), "#!/bin/sh\necho \"$1:${FLOODGATE_NO_AUTH:-}\"\n");
        assertThat(floodgate.toFile().setExecutable(true)).isTrue();
        try (var bash = Bash.in(directory)) {
            var outcome = bash.run(
                    "sh entrypoint up; sh entrypoint gateway; FLOODGATE_KEYS=/keys.json sh entrypoint up",
                    Duration.ofSeconds(20));
            assertThat(outcome.printed()).containsExactly("up:true", "gateway:", "up:");
        }
    }

    @Test
    void is_healthy_while_its_role_answers() throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/health", exchange -> {
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        server.start();
        int port = server.getAddress().getPort();
        try (var bash = Bash.in(directory)) {
            Path up = command("java", "io.floodgate.standalone.Floodgate", "up");
            Path worker = command("java", "-cp", "/opt/floodgate/gateway/up.jar", "worker");
            assertThat(healthcheck(bash, up, "FLOODGATE_PORT=" + port)).isZero();
            assertThat(healthcheck(bash, worker, "FLOODGATE_METRICS_PORT=" + port))
                    .isZero();
            server.stop(0);
            assertThat(healthcheck(bash, up, "FLOODGATE_PORT=" + port)).isEqualTo(1);
            assertThat(healthcheck(bash, worker, "FLOODGATE_METRICS_PORT=" + port))
                    .isEqualTo(1);
            assertThat(healthcheck(bash, worker, "FLOODGATE_METRICS_PORT=0"))
                    .as("of a role that listens nowhere")
                    .isZero();
        }
    }

    /** As Linux shows the command line of a process. */
    private Path command(String... words) throws IOException {
        return Files.writeString(directory.resolve(words[words.length - 1]), String.join("\0", words) + "\0");
    }

    private int healthcheck(Bash bash, Path command, String setting) throws Exception {
        return bash.run(
                        "env FLOODGATE_COMMAND_LINE=%s %s bash %s"
                                .formatted(command, setting, SCRIPTS.resolve("healthcheck")),
                        Duration.ofSeconds(20))
                .exitCode();
    }

    @Test
    void the_launcher_of_the_archive_has_60_lines_at_most_and_the_flags_of_the_other() throws IOException {
        List<String> lines = Files.readAllLines(SCRIPTS.resolve("floodgate"));
        assertThat(lines).hasSizeLessThanOrEqualTo(60);
        assertThat(flags(String.join("\n", lines))).containsAll(flags(Files.readString(Path.of("../floodgate"))));
    }

    private static List<String> flags(String launcher) {
        return Pattern.compile("-Xm[sx]\\d+\\w|-XX:\\w+=\\d+\\w?|-XX:\\+(?!Use\")\\w+")
                .matcher(launcher)
                .results()
                .map(MatchResult::group)
                .distinct()
                .toList();
    }
}
