package io.floodgate.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class KeysCommandTest {
    private final PrintStream before = System.out;
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    @TempDir
    Path directory;

    @AfterEach
    void printAgain() {
        System.setOut(before);
    }

    private String run(int status, String... arguments) {
        printed.reset();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        assertThat(Floodgate.run(List.of(arguments), Map.of("FLOODGATE_KEYS", file().toString())))
                .isEqualTo(status);
        return printed.toString(StandardCharsets.UTF_8);
    }

    private Path file() {
        return directory.resolve("keys.json");
    }

    @Test
    void prints_a_key_once_and_keeps_its_hash() throws Exception {
        String key = run(0, "keys", "add", "billing", "--scope", "produce,observe", "--queue", "billing.*")
                .strip();

        assertThat(key).matches("fg_[a-z2-7]{8}_[A-Za-z0-9_-]{43}");
        assertThat(Files.readString(file())).doesNotContain(key.substring(12)).contains("billing");
        String listed = run(0, "keys", "list");
        assertThat(listed).contains(key.substring(3, 11), "billing", "produce,observe", "billing.*");
        assertThat(listed).doesNotContain(key.substring(12));
    }

    @Test
    void takes_away_the_one_key_that_is_named() {
        String first = run(0, "keys", "add", "billing", "--scope", "produce").strip();
        String second = run(0, "keys", "add", "billing", "--scope", "produce").strip();

        run(0, "keys", "remove", first.substring(3, 11));

        assertThat(run(0, "keys", "list")).contains(second.substring(3, 11)).doesNotContain(first.substring(3, 11));
        run(1, "keys", "remove", first.substring(3, 11));
    }

    @Test
    void makes_keys_that_expire() {
        run(0, "keys", "add", "visitor", "--scope", "observe", "--expires", "90d");
        run(0, "keys", "add", "other", "--scope", "observe", "--expires", "2999-01-31T00:00:00Z");
        assertThat(run(0, "keys", "list")).contains("visitor  observe  expires 2", "expires 2999-01-31T00:00:00.000Z");
        run(1, "keys", "add", "late", "--scope", "observe", "--expires", "2020-01-01T00:00:00Z");
        run(1, "keys", "add", "odd", "--scope", "observe", "--expires", "tomorrow");
        assertThat(run(0, "keys", "list")).doesNotContain("late", "odd");
    }

    @Test
    void binds_a_key_to_a_certificate_instead_of_a_secret() throws Exception {
        String id = run(0, "keys", "add", "worker", "--scope", "consume", "--certificate", "CN=worker-1, O=Acme")
                .strip();

        assertThat(id).matches("[a-z2-7]{8}");
        assertThat(Files.readString(file())).doesNotContain("sha256");
        run(1, "keys", "add", "other", "--scope", "consume", "--certificate", "cn=Worker-1,o=acme");
        assertThat(run(0, "keys", "list")).contains(id, "worker  consume  certificate CN=worker-1, O=Acme");
    }

    @Test
    void makes_no_key_that_makes_no_sense() {
        run(1, "keys", "add", "worker", "--scope", "consume", "--certificate", "worker-1");
        run(1, "keys", "add", "billing", "--scope", "everything");
        run(1, "keys", "add", "two words", "--scope", "produce");
        run(1, "keys", "add", "acme", "--scope", "consume", "--tenant", "acme");
        run(1, "keys", "add", "acme", "--scope", "produce", "--queue", "a b");
        assertThat(file()).doesNotExist();
    }
}
