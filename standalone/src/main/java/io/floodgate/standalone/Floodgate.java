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
        versionProvider = Version.class,
        footer = {
            "",
            "In a checkout or an unpacked archive, the launcher also has:",
            "  bench         Puts load on a running Floodgate and measures it.",
            "  crash-test    Starts a Floodgate, kills its processes at random, and checks what was lost or done"
                    + " twice.",
            "  outage-test   Stops parts of a Floodgate and checks who is still served.",
            "  cluster-test  Stops, hangs and restarts parts of an installation on three brokers.",
            "  fault-test    Cuts the power of a Floodgate under load and checks what was lost.",
            "  network-test  Cuts connections of a Floodgate and checks who is still served.",
            "  limits-test   Checks rate limits by the starts that workers see.",
            "  hostile-test  Attacks a Floodgate and checks whether others are served.",
            "  chaos         Puts the load and the checks of crash-test on a server that you kill yourself.",
            "  java          Runs a Java program with Floodgate's libraries: java EmailWorker.java localhost:9092.",
            "In a checkout only: test, format, package."
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

    @Option(
            names = {"-V", "--version"},
            versionHelp = true,
            description = "Show the version.")
    boolean version;

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
                throw new CommandErrors.Rejection(complaint);
            });
            return line.execute(arguments.toArray(String[]::new));
        } catch (RuntimeException e) {
            return CommandErrors.report(e, System.err);
        }
    }

    static CommandLine commandLine(SettingSource settings) {
        return new CommandLine(new Floodgate())
                .addSubcommand(new Up(settings))
                .addSubcommand(new BrokerRole(settings))
                .addSubcommand(new ProcessorRole(settings))
                .addSubcommand(new GatewayRole(settings))
                .addSubcommand(new WorkerRole(settings))
                .addSubcommand(new OutboxRole())
                .addSubcommand(new Provision(settings))
                .addSubcommand(KeysCommand.commandLine())
                .addSubcommand(WhyCommand.commandLine())
                .addSubcommand(StatusCommand.commandLine())
                .addSubcommand(TopCommand.commandLine())
                .addSubcommand(new DemoCommand())
                .addSubcommand(new ExportCommand())
                .addSubcommand(new ImportCommand())
                .addSubcommand(new SiteCommand())
                .addSubcommand(new SettingsPage())
                .addSubcommand(new Version())
                .addSubcommand(new Rehearsal())
                .addSubcommand(new HelpWord())
                .setDefaultValueProvider(new SettingDefaults(settings))
                .setExecutionExceptionHandler((failure, command, parsed) -> CommandErrors.report(failure, System.err))
                .setUsageHelpAutoWidth(true);
    }
}
