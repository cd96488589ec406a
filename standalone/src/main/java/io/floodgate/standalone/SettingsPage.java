package io.floodgate.standalone;

import io.floodgate.standalone.settings.KnownSettings;
import io.floodgate.standalone.settings.SettingName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Spec;

/** The list of all settings, made from the options of the commands: {@code docs/reference/configuration.md} is its output. */
@Command(
        name = "settings",
        description = "Lists all settings of all roles, with their names in the environment and in files.")
final class SettingsPage implements Callable<Integer> {
    private static final String INTRODUCTION = """
            # Configuration

            Every setting has three names and a default. They are looked up in this order: the flag on the command line, the
            variable in the environment, the property in the file that `--config FILE` (or `FLOODGATE_CONFIG`) names, the default.

            Properties of Kafka clients are passed to all clients of a process, for TLS or SASL, for example:
            `--kafka security.protocol=SSL` is `FLOODGATE_KAFKA_SECURITY_PROTOCOL=SSL` is `kafka.security.protocol=SSL`.
            Properties of the embedded broker work in the same way, under `embedded`.

            `./floodgate settings` prints this page; a test checks that it is up to date.

            | flag | environment | roles | meaning | default |
            |---|---|---|---|---|
            """;

    @Spec
    CommandSpec spec = CommandSpec.create();

    private record Setting(OptionSpec option, List<String> roles) {
        String row() {
            var name = SettingName.ofFlag(option.longestName());
            return "| `%s %s` | `%s` | %s | %s | %s |%n"
                    .formatted(
                            name.flag(),
                            option.arity().max() == 0 ? "" : option.paramLabel(),
                            option.typeInfo().isMap() ? name.variable() + "_*" : name.variable(),
                            String.join(", ", roles),
                            String.join(" ", option.description()),
                            Optional.ofNullable(option.defaultValue())
                                    .map(value -> "`" + value + "`")
                                    .orElse(""))
                    .replace(" ` |", "` |");
        }
    }

    @Override
    public Integer call() {
        System.out.print(render(spec.root().commandLine()));
        return 0;
    }

    static String render(CommandLine floodgate) {
        var page = new StringBuilder(INTRODUCTION);
        settings(floodgate.getSubcommands()).forEach(setting -> page.append(setting.row()));
        return page.toString();
    }

    private static Collection<Setting> settings(Map<String, CommandLine> roles) {
        var settings = new TreeMap<String, Setting>();
        roles.forEach((role, command) -> command.getCommandSpec().options().stream()
                .filter(option -> KnownSettings.hasSettings(command))
                .filter(option -> !option.usageHelp() && !option.inherited())
                .forEach(option -> settings.computeIfAbsent(
                                option.longestName(), flag -> new Setting(option, new ArrayList<>()))
                        .roles()
                        .add(role)));
        return settings.values();
    }
}
