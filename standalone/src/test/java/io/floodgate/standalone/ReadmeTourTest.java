package io.floodgate.standalone;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.floodgate.standalone.Bash.Outcome;
import io.floodgate.standalone.Readme.Listing;
import io.floodgate.standalone.Readme.Step;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The tour, line by line, as a reader pastes it, and the programs of the README. */
@Tag("server")
final class ReadmeTourTest {
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    /** What is published behind a commit may be a moment late: looking again must be enough. */
    private static final int LOOKS = 20;

    @TempDir
    static Path directory;

    private static final Running RUNNING = new Running();
    private static int port;
    private static String bootstrap;

    @BeforeAll
    static void start() throws Exception {
        var started = Standalone.start(StandaloneConfig.in(directory.resolve("data")), RUNNING);
        port = started.port();
        bootstrap = started.bootstrap();
    }

    @AfterAll
    static void stop() {
        RUNNING.close();
    }

    @Test
    void prints_what_the_readme_shows() throws Exception {
        for (String tool : List.of("bash", "curl", "awk", "grep")) assumeTrue(isInstalled(tool), tool + " is missing");
        try (var bash = Bash.in(Files.createDirectory(directory.resolve("reader")))) {
            for (Step step : Readme.tour()) check(step, bash, port);
        }
    }

    @ParameterizedTest
    @CsvSource({"sh,sh,start.sh", "js,node,start.mjs", "python,python3,start.py", "go,go run,start.go"})
    void runs_the_quickstart(String language, String tool, String file) throws Exception {
        List<String> command = new ArrayList<>(List.of(tool.split(" ")));
        for (String needed : List.of("curl", command.getFirst()))
            assumeTrue(isInstalled(needed), needed + " is missing");
        Path program = Files.writeString(
                directory.resolve(file), Readme.quickstart(language).replace("localhost:8080", "127.0.0.1:" + port));
        command.add(program.toString());
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String printed = new String(process.getInputStream().readAllBytes(), UTF_8);

        assertThat(process.waitFor()).as(printed).isZero();
        assertThat(printed).contains(language.equals("sh") ? "\"state\":\"completed\"" : "Sending to ada@example.com");
        assertThat(new HttpApi(port).get("/ojs/v1/queues/email").text("/depth")).isEqualTo("0");
    }

    /** Listings of pages for those who come from another queue. Each is skipped where its language is not installed. */
    @ParameterizedTest
    @MethodSource("io.floodgate.standalone.Readme#listings")
    void runs_the_listing_of(Listing listing) throws Exception {
        List<String> command = new ArrayList<>(
                switch (listing.language()) {
                    case "java" ->
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java")
                                        .toString(),
                                "-cp",
                                System.getProperty("java.class.path"));
                    case "js" -> List.of("node");
                    case "python" -> List.of("python3");
                    default -> List.of(listing.language());
                });
        assumeTrue(isInstalled(command.getFirst()), command.getFirst() + " is missing");
        Path program = Files.writeString(
                directory.resolve(listing.file()), listing.code().replace("localhost:8080", "127.0.0.1:" + port));
        command.addAll(List.of(program.toString(), bootstrap, "http://127.0.0.1:" + port));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String printed = new String(process.getInputStream().readAllBytes(), UTF_8);

        assertThat(process.waitFor()).as(printed).isZero();
        assertThat(listing.shown()).isNotEmpty();
        assertThat(printed.lines()).containsAll(listing.shown());
    }

    private static void check(Step step, Bash bash, int port) throws IOException, InterruptedException {
        String commands = step.commands().replace("localhost:8080", "127.0.0.1:" + port);
        Outcome outcome = bash.run(commands, PATIENCE);
        for (int i = 1; i < LOOKS && step.onlyLooks() && !step.isShownBy(outcome.printed()); i++)
            outcome = bash.run("sleep 0.5\n" + commands, PATIENCE);

        assertThat(step.isShownBy(outcome.printed()))
                .as("%s%nshould print%n%s%nbut printed%n%s", commands, lines(step.shown()), lines(outcome.printed()))
                .isTrue();
        assertThat(outcome.exitCode()).as("exit code of%n%s", commands).isZero();
    }

    private static String lines(List<String> lines) {
        return String.join("\n", lines);
    }

    private static boolean isInstalled(String tool) {
        String path = System.getenv().getOrDefault("PATH", "");
        return Arrays.stream(path.split(File.pathSeparator))
                .anyMatch(d -> Files.isExecutable(Path.of(d).resolve(tool)));
    }
}
