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
    void what_no_client_says_is_left_to_the_default() {
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

    @Test
    void what_kubernetes_says_about_a_service_of_our_name_is_no_setting() {
        var source = new SettingSource(
                Map.of(
                        "FLOODGATE_PORT", "tcp://10.0.0.1:8080",
                        "FLOODGATE_SERVICE_HOST", "10.0.0.1",
                        "FLOODGATE_BROKER_PORT", "tcp://10.0.0.2:9092",
                        "FLOODGATE_KAFKA_SERVICE_HOST", "10.0.0.3",
                        "FLOODGATE_KAFKA_SERVICE_PORT_CLIENTS", "9092",
                        "FLOODGATE_KAFKA_PORT_9092_TCP_ADDR", "10.0.0.3",
                        "FLOODGATE_KAFKA_CLIENT_RACK", "a"),
                Map.of("port", "8081"));

        assertThat(source.valueOf(SettingName.ofFlag("--port"))).contains("8081");
        assertThat(source.valueOf(SettingName.ofFlag("--broker-port"))).isEmpty();
        assertThat(source.startingWith("kafka")).containsExactly(Map.entry("client.rack", "a"));
    }
}
