package io.floodgate.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.floodgate.standalone.settings.KnownSettings;
import io.floodgate.standalone.settings.SettingSource;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.ParseResult;

final class FloodgateTest {
    private final SettingSource settings =
            new SettingSource(Map.of("FLOODGATE_PARTITIONS", "16"), Map.of("partitions", "32", "broker-port", "1234"));

    @Test
    void help_is_a_word_too() {
        assertThat(said("help")).isEqualTo(said("--help")).contains("Commands:", "status", "why");
        assertThat(said("help", "top")).isEqualTo(said("top", "--help")).contains("--interval");
        assertThat(said("help", "keys")).contains("add", "remove");
    }

    private String said(String... arguments) {
        StringWriter out = new StringWriter();
        int code = Floodgate.commandLine(settings).setOut(new PrintWriter(out)).execute(arguments);
        assertThat(code).isZero();
        return out.toString();
    }

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

    @Test
    void a_file_with_a_slip_of_the_pen_is_rejected_with_what_was_meant() {
        assertThat(complaint(Map.of("prot", "8081")))
                .hasValueSatisfying(says -> assertThat(says).contains("prot").contains("did you mean port?"));
    }

    @Test
    void a_file_may_have_the_settings_of_all_roles_and_properties_of_kafka() {
        assertThat(complaint(Map.of("standbys", "1", "kafka.client.rack", "a", "embedded.num.io.threads", "1")))
                .isEmpty();
    }

    @Test
    void a_property_that_floodgate_depends_on_is_rejected() {
        assertThatThrownBy(() -> up("--kafka", "acks=1").kafka.clients(settings))
                .hasMessageContaining("acks");
    }

    /** These had no effect, and nothing said so. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "session.timeout.ms",
                "main.consumer.session.timeout.ms",
                "consumer.heartbeat.interval.ms",
                "producer.linger.ms",
                "client.id",
                "partition.assignment.strategy"
            })
    void a_property_that_would_change_nothing_is_rejected(String property) {
        assertThatThrownBy(() -> up("--kafka", property + "=1").kafka.clients(settings))
                .hasMessageContaining(property);
    }

    @Test
    void it_says_its_version_as_other_programs_do() {
        StringWriter out = new StringWriter();

        int code = Floodgate.commandLine(settings).setOut(new PrintWriter(out)).execute("--version");

        assertThat(code).isZero();
        assertThat(out.toString()).startsWith("Floodgate ").contains("Kafka", "Java");
    }

    @Test
    void its_help_names_every_command_of_the_launcher() throws Exception {
        String launcher = Files.readString(Path.of("..", "floodgate"));
        Matcher commands = Pattern.compile("(?m)^    ([a-z|\\- ]+)\\) verify").matcher(launcher);
        assertThat(commands.find()).isTrue();

        assertThat(Floodgate.commandLine(settings).getUsageMessage())
                .contains(commands.group(1).split(" \\| "));
    }

    private static Optional<String> complaint(Map<String, String> file) {
        return new KnownSettings(Floodgate.commandLine(new SettingSource(Map.of(), file))).complaint(file);
    }

    private Up up(String... flags) {
        var arguments = new String[flags.length + 1];
        arguments[0] = "up";
        System.arraycopy(flags, 0, arguments, 1, flags.length);
        ParseResult parsed = Floodgate.commandLine(settings).parseArgs(arguments);
        return (Up) parsed.subcommand().commandSpec().userObject();
    }
}
