package io.floodgate.verification;

import io.floodgate.verification.cluster.ClusterTestCommand;
import io.floodgate.verification.crash.CrashTestCommand;
import io.floodgate.verification.crash.OutageTestCommand;
import io.floodgate.verification.fault.FaultTestCommand;
import io.floodgate.verification.hostile.HostileTestCommand;
import io.floodgate.verification.limits.LimitsTestCommand;
import io.floodgate.verification.network.NetworkTestCommand;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The commands that put a Floodgate to the test. */
@Command(
        name = "floodgate",
        description = "Puts a Floodgate to the test.",
        subcommands = {
            CrashTestCommand.class,
            OutageTestCommand.class,
            ClusterTestCommand.class,
            FaultTestCommand.class,
            NetworkTestCommand.class,
            HostileTestCommand.class,
            LimitsTestCommand.class,
            NodeBench.class,
            Chaos.class
        },
        synopsisSubcommandLabel = "COMMAND")
public final class Verification {
    private Verification() {}

    static CommandLine commandLine() {
        CommandLine line = new CommandLine(new Verification())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setUsageHelpAutoWidth(true);
        line.getSubcommands()
                .values()
                .forEach(each -> each.getCommandSpec().usageMessage().showDefaultValues(true));
        return line;
    }

    public static void main(String... arguments) {
        Locale.setDefault(Locale.ROOT); // numbers in messages are to be the same everywhere
        System.exit(commandLine().execute(arguments));
    }
}
