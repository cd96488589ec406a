package io.floodgate.standalone.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SettingsFileTest {
    private static final Map<String, String> CONTENT = Map.of("port", "8081");

    @TempDir
    Path directory;

    Path file = Path.of("");

    @BeforeEach
    void write() throws IOException {
        file = Files.writeString(directory.resolve("floodgate.properties"), "port = 8081\n");
    }

    @Test
    void is_named_by_a_flag() {
        assertThat(SettingsFile.read(List.of("up", "--config", file.toString()), Map.of()))
                .isEqualTo(CONTENT);
        assertThat(SettingsFile.read(List.of("up", "--config=" + file), Map.of()))
                .isEqualTo(CONTENT);
    }

    @Test
    void is_named_by_the_environment() {
        assertThat(SettingsFile.read(List.of("up"), Map.of("FLOODGATE_CONFIG", file.toString())))
                .isEqualTo(CONTENT);
    }

    @Test
    void may_be_left_out() {
        assertThat(SettingsFile.read(List.of("up"), Map.of())).isEmpty();
    }

    @Test
    void must_exist_when_named() {
        assertThatThrownBy(() -> SettingsFile.read(List.of("--config", "nowhere.properties"), Map.of()))
                .hasMessageContaining("nowhere.properties");
    }
}
