package io.floodgate.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.floodgate.standalone.Bash.Outcome;
import io.floodgate.standalone.Readme.Step;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The tour of the README, line by line, as a reader pastes it. */
@Tag("server")
final class ReadmeTourTest {
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    /** What is published behind a commit may be a moment late: looking again must be enough. */
    private static final int LOOKS = 20;

    @TempDir
    Path directory;

    @Test
    void prints_what_the_readme_shows() throws Exception {
        for (String tool : List.of("bash", "curl", "awk", "grep")) assumeTrue(isInstalled(tool), tool + " is missing");
        try (var running = new Running();
                var bash = Bash.in(Files.createDirectory(directory.resolve("reader")))) {
            var config = StandaloneConfig.in(directory.resolve("data"));
            int port = Standalone.start(config, running).port();

            for (Step step : Readme.tour()) check(step, bash, port);
        }
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
        return Arrays.stream(path.split(File.pathSeparator)).anyMatch(d -> Files.isExecutable(Path.of(d, tool)));
    }
}
