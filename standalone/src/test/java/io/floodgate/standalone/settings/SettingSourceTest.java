package io.floodgate.standalone.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

final class SettingSourceTest {
    private static final SettingName TEST_MODE = SettingName.ofFlag("--test-mode");

    @Test
    void the_environment_goes_before_the_file() {
        var source = new SettingSource(Map.of("FLOODGATE_TEST_MODE", "environment"), Map.of("test-mode", "file"));

        assertThat(source.valueOf(TEST_MODE)).contains("environment");
    }

    @Test
    void the_file_goes_before_the_default() {
        var source = new SettingSource(Map.of(), Map.of("test-mode", "file"));

        assertThat(source.valueOf(TEST_MODE)).contains("file");
    }

    @Test
    void what_nobody_says_is_left_to_the_default() {
        assertThat(new SettingSource(Map.of(), Map.of()).valueOf(TEST_MODE)).isEmpty();
    }

    @Test
    void properties_pass_through_from_file_and_environment() {
        var source = new SettingSource(
                Map.of("FLOODGATE_KAFKA_SECURITY_PROTOCOL", "SSL", "FLOODGATE_KAFKANAUT", "x"),
                Map.of("kafka.security.protocol", "PLAINTEXT", "kafka.client.rack", "a", "port", "1"));

        assertThat(source.startingWith("kafka"))
                .containsExactly(Map.entry("client.rack", "a"), Map.entry("security.protocol", "SSL"));
    }
}
