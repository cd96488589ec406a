package io.floodgate.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.floodgate.standalone.settings.SettingSource;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class BrokerOptionsTest {
    private static final SettingSource NO_SETTINGS = new SettingSource(Map.of(), Map.of());

    private final BrokerOptions options = new BrokerOptions();

    @Test
    void a_port_that_is_taken_is_rejected_by_the_name_of_its_setting() throws IOException {
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            options.port = Optional.of(taken.getLocalPort());

            assertThatThrownBy(() -> options.config(new DataOptions(), NO_SETTINGS))
                    .isInstanceOf(CommandErrors.Rejection.class)
                    .hasMessageContaining("port " + taken.getLocalPort())
                    .hasMessageContaining("--broker-port");
        }
    }

    @Test
    void without_a_setting_some_port_is_found() {
        assertThat(options.config(new DataOptions(), NO_SETTINGS).port()).isIn(0, 9092);
    }
}
