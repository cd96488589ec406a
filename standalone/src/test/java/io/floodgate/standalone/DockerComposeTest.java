package io.floodgate.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.standalone.settings.KnownSettings;
import io.floodgate.standalone.settings.SettingName;
import io.floodgate.standalone.settings.SettingSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The commands and the environment in {@code docker-compose.yml}, as far as they can be checked without containers. */
final class DockerComposeTest {
    private static final Pattern COMMAND = Pattern.compile("^ +command: \\[(.*)]$", Pattern.MULTILINE);
    private static final Pattern SETTING =
            Pattern.compile("^ +((?:FLOODGATE|KAFKA)_\\w+): \"?([^\"\n]*)\"?$", Pattern.MULTILINE);

    private final String file;
    private final Map<String, String> environment = new TreeMap<>();

    DockerComposeTest() throws IOException {
        file = Files.readString(Path.of("../docker-compose.yml"));
        SETTING.matcher(file).results().forEach(setting -> environment.put(setting.group(1), setting.group(2)));
    }

    private Stream<List<String>> commands() {
        return COMMAND.matcher(file)
                .results()
                .map(MatchResult::group)
                .map(line -> line.replaceFirst(" +command: \\[", "").replaceFirst("]$", ""))
                .map(line -> Pattern.compile("\"([^\"]*)\"|[^\", ]+")
                        .matcher(line)
                        .results()
                        .map(word -> word.group(1) == null ? word.group() : word.group(1))
                        .toList());
    }

    @Test
    void starts_each_role_with_a_command_that_is_understood() {
        SettingSource settings = new SettingSource(environment, Map.of());
        for (List<String> command : commands().toList())
            Floodgate.commandLine(settings).parseArgs(command.toArray(String[]::new));
        assertThat(commands().map(List::getFirst))
                .containsExactlyInAnyOrder("processor", "gateway", "provision", "worker");
    }

    @Test
    void has_no_setting_that_is_not_known() {
        Map<String, String> ours = new TreeMap<>();
        environment.forEach((variable, value) -> {
            if (!variable.startsWith("FLOODGATE_")) return;
            String property = variable.substring("FLOODGATE_".length()).replace('_', '-');
            ours.put(property.toLowerCase(Locale.ROOT), value);
        });
        assertThat(ours).containsKeys("bootstrap", "host");
        ours.keySet().forEach(name -> assertThat(environment).containsKey(new SettingName(name).variable()));
        assertThat(new KnownSettings(Floodgate.commandLine(new SettingSource(Map.of(), ours))).complaint(ours))
                .isEmpty();
    }

    /** A topic that is to be kept on more brokers than there are is not created, and processors do not start. */
    @Test
    void keeps_nothing_on_more_brokers_than_there_are() {
        long brokers = Pattern.compile("KAFKA_NODE_ID:").matcher(file).results().count();
        List<String> provision = commands()
                .filter(command -> command.getFirst().equals("provision"))
                .findFirst()
                .orElseThrow();
        assertThat(provision).contains("--replication");
        assertThat(Long.parseLong(provision.get(provision.indexOf("--replication") + 1)))
                .isLessThanOrEqualTo(brokers);
        // Processors find out for themselves how often ojs.commands is kept.
        assertThat(commands().filter(command -> command.contains("--replication")))
                .hasSize(1);
        assertThat(environment.keySet().stream().filter(name -> name.endsWith("_REPLICATION_FACTOR")))
                .isNotEmpty()
                .allSatisfy(name ->
                        assertThat(Long.parseLong(environment.get(name))).isLessThanOrEqualTo(brokers));
    }
}
