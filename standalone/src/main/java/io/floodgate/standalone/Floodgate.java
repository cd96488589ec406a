package io.floodgate.standalone;

import io.floodgate.standalone.settings.KnownSettings;
import io.floodgate.standalone.settings.SettingDefaults;
import io.floodgate.standalone.settings.SettingSource;
import io.floodgate.standalone.settings.SettingsFile;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The command line: all its commands. */
@Command(
        name = "floodgate",
        description = "A job queue that needs Kafka and nothing else.",
        synopsisSubcommandLabel = "COMMAND",
        footer = {
            "Of the launcher alone:",
            "  bench         Puts load on a Floodgate that is running, and measures.",
            "  crash-test    Kills a Floodgate of its own at random, and looks what was lost.",
            "  outage-test   Takes away parts of a Floodgate of its own, and looks who is still served.",
            "  hostile-test  Attacks a Floodgate of its own, and looks whether others are served.",
            "  package       Makes an archive that runs without Maven."
        })
public final class Floodgate {
    @Option(
            names = "--config",
            paramLabel = "FILE",
            scope = ScopeType.INHERIT,
            description = "A properties file with settings.")
    String config = "";

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            scope = ScopeType.INHERIT,
            description = "Show this help.")
    boolean help;

    private Floodgate() {}

    public static void main(String... arguments) {
        Locale.setDefault(Locale.ROOT); // numbers in messages are to be the same everywhere
        System.exit(run(List.of(arguments), System.getenv()));
    }

    static int run(List<String> arguments, Map<String, String> environment) {
        try {
            Map<String, String> file = SettingsFile.read(arguments, environment);
            CommandLine line = commandLine(new SettingSource(environment, file));
            new KnownSettings(line).complaint(file).ifPresent(complaint -> {
                throw new Failures.Refusal(complaint);
            });
            return line.execute(arguments.toArray(String[]::new));
        } catch (RuntimeException e) {
            return Failures.report(e, System.err);
        }
    }

    static CommandLine commandLine(SettingSource settings) {
        return new CommandLine(new Floodgate())
                .addSubcommand(new Up(settings))
                .addSubcommand(new BrokerRole(settings))
                .addSubcommand(new ProcessorRole(settings))
                .addSubcommand(new GatewayRole(settings))
                .addSubcommand(new WorkerRole(settings))
                .addSubcommand(new Provision(settings))
                .addSubcommand(KeysCommand.commandLine())
                .addSubcommand(new SettingsPage())
                .addSubcommand(new Version())
                .addSubcommand(new Rehearsal())
                .setDefaultValueProvider(new SettingDefaults(settings))
                .setExecutionExceptionHandler((failure, command, parsed) -> Failures.report(failure, System.err))
                .setUsageHelpAutoWidth(true);
    }
}
