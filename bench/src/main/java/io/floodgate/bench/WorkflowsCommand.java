package io.floodgate.bench;

import io.floodgate.bench.report.Yardstick;
import io.floodgate.bench.run.Settings;
import io.floodgate.bench.run.WorkflowRun;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures workflows. */
@Command(
        name = "workflows",
        description =
                "Workflows over HTTP: from the ack of a step to the next step at a waiting worker, a chain of 10 empty steps,"
                        + " and steps per second beside plain jobs; each in one partition, and across partitions.")
final class WorkflowsCommand extends MeasuringCommand {
    @Option(
            names = "--partitions",
            defaultValue = "8",
            description = "partitions of the server, of which queue names are chosen (default: ${DEFAULT-VALUE})")
    int partitions;

    @Option(
            names = "--unfinished",
            defaultValue = "0",
            description =
                    "only create this many chains of 10 steps whose jobs no worker fetches, to look at the server's memory,"
                            + " disk and restart with them (default: ${DEFAULT-VALUE})")
    int unfinished;

    @Mixin
    final ConnectionsOption http = new ConnectionsOption(16);

    @Override
    void measure(Settings settings) throws Exception {
        WorkflowRun run = new WorkflowRun(settings, partitions, http.connections);
        if (unfinished > 0) {
            found(Yardstick.RATE, run.unfinished(unfinished));
            return;
        }
        for (boolean isAcross : new boolean[] {false, true}) {
            found(Yardstick.LATENCY, run.nextStep(isAcross));
            found(Yardstick.NONE, run.chainOfTen(isAcross));
            found(Yardstick.RATE, run.plainJobs(isAcross));
            found(Yardstick.RATE, run.steps(isAcross));
        }
    }
}
