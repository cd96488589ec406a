package io.floodgate.bench;

import io.floodgate.bench.BoundCommands.Blocked;
import io.floodgate.bench.BoundCommands.Bounds;
import io.floodgate.bench.BoundCommands.EnqueueWays;
import io.floodgate.bench.BoundCommands.Overload;
import io.floodgate.bench.MeasuringCommands.Backlog;
import io.floodgate.bench.MeasuringCommands.Batch;
import io.floodgate.bench.MeasuringCommands.Enqueue;
import io.floodgate.bench.MeasuringCommands.Handoff;
import io.floodgate.bench.MeasuringCommands.Lifecycle;
import io.floodgate.bench.MeasuringCommands.LimitOnly;
import io.floodgate.bench.MeasuringCommands.LogEnqueue;
import io.floodgate.bench.MeasuringCommands.LogLifecycle;
import io.floodgate.bench.MeasuringCommands.Poll;
import io.floodgate.bench.MeasuringCommands.Queues;
import io.floodgate.bench.MeasuringCommands.Unique;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** {@code floodgate bench …}: see {@code floodgate bench --help}. */
@Command(
        name = "bench",
        description = {
            "Puts load on a Floodgate that is running, and measures.",
            "Latencies are in milliseconds. With --rate the load does not wait for the server (an open loop), and a"
                    + " latency counts from when its request was due."
        },
        subcommands = {
            All.class,
            LimitOnly.class,
            Enqueue.class,
            Unique.class,
            Batch.class,
            Lifecycle.class,
            Handoff.class,
            Poll.class,
            LogEnqueue.class,
            LogLifecycle.class,
            Backlog.class,
            Queues.class,
            Bounds.class,
            EnqueueWays.class,
            Blocked.class,
            Overload.class,
            LimitsCommand.class,
            CronBenchCommand.class,
            RetentionCommand.class,
            WorkflowsCommand.class
        },
        synopsisSubcommandLabel = "COMMAND")
public final class Bench {
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            scope = ScopeType.INHERIT,
            description = "Show this help.")
    boolean help;

    private Bench() {}

    /** Returns the exit code: 0 when everything was measured and nothing failed. */
    public static int run(String... arguments) {
        return commandLine().execute(arguments);
    }

    static CommandLine commandLine() {
        return new CommandLine(new Bench())
                .setUsageHelpAutoWidth(true)
                .setExecutionExceptionHandler((failure, command, parsed) -> {
                    command.getErr().printf("bench %s failed: %s%n", command.getCommandName(), failure);
                    return 1;
                });
    }

    public static void main(String... arguments) {
        System.exit(run(arguments));
    }
}
