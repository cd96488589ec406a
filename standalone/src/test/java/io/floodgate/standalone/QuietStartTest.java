package io.floodgate.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a new user sees first. */
@Tag("server")
final class QuietStartTest {
    /** Said to those who leave a door open, or keep their jobs where the machine may delete them. */
    private static final List<String> MEANT = List.of("since there are no API keys", "Using an OS temp directory");

    @Test
    void a_first_start_warns_only_of_what_its_user_can_change(@TempDir Path data) throws Exception {
        Path log = data.resolve("up.log");
        int port = Ports.free();
        try (var up = RoleProcess.startAsInstalled(
                log,
                "up",
                "--port",
                String.valueOf(port),
                "--broker-port",
                String.valueOf(Ports.free()),
                "--data",
                data.resolve("data").toString())) {
            Eventually.until(
                    "it is ready", () -> Files.readString(log).contains("Floodgate is ready") || !up.isAlive());
            new HttpApi(port).post("/ojs/v1/jobs", "{\"type\":\"email.send\",\"args\":[]}");
        }

        assertThat(Files.readAllLines(log))
                .anyMatch(line -> line.startsWith("Floodgate is ready"))
                .filteredOn(line -> line.contains(" WARN ") || line.contains(" ERROR "))
                .allMatch(line -> MEANT.stream().anyMatch(line::contains));
    }
}
