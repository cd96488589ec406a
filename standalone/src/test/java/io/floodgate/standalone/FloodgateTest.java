package io.floodgate.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.standalone.settings.SettingSource;
import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.ParseResult;

final class FloodgateTest {
    private final SettingSource settings =
            new SettingSource(Map.of("FLOODGATE_PARTITIONS", "16"), Map.of("partitions", "32", "broker-port", "1234"));

    @Test
    void a_flag_goes_before_the_environment() {
        assertThat(up("--partitions", "4").topics.partitions).isEqualTo(4);
    }

    @Test
    void the_environment_goes_before_the_file() {
        assertThat(up().topics.partitions).isEqualTo(16);
    }

    @Test
    void the_file_goes_before_the_default() {
        assertThat(up().broker.port).contains(1234);
    }

    private Up up(String... flags) {
        var arguments = new String[flags.length + 1];
        arguments[0] = "up";
        System.arraycopy(flags, 0, arguments, 1, flags.length);
        ParseResult parsed = Floodgate.commandLine(settings).parseArgs(arguments);
        return (Up) parsed.subcommand().commandSpec().userObject();
    }
}
