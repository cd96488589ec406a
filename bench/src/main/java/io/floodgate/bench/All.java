package io.floodgate.bench;

import io.floodgate.bench.limit.LimitRun;
import io.floodgate.bench.report.Yardstick;
import io.floodgate.bench.run.BatchRun;
import io.floodgate.bench.run.EnqueueRun;
import io.floodgate.bench.run.HttpHandoffRun;
import io.floodgate.bench.run.LifecycleRun;
import io.floodgate.bench.run.PartitionEnqueueRun;
import io.floodgate.bench.run.PartitionHandoffRun;
import io.floodgate.bench.run.PartitionLifecycleRun;
import io.floodgate.bench.run.Settings;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The marks that are published, in one session. */
@Command(
        name = "all",
        description = "The figures of docs/reference/figures.md in one session, each also as a share of the limit run.")
final class All extends MeasuringCommand {
    private static final int LIMIT_IN_FLIGHT = 1_000;
    private static final int CONNECTIONS = 64;
    /** What users really do: so much a second, whatever the server would be able to do. */
    private static final List<Integer> OPEN_LOOPS = List.of(1_000, 5_000);

    private static final int BATCH_CONNECTIONS = 8;
    private static final int BATCH = 100;
    private static final int FETCH = 10;
    private static final int PARKED = 8;
    private static final int LOG_IN_FLIGHT = 500;
    private static final int LOG_CYCLES = 50;

    @Option(
            names = "--first",
            defaultValue = "30",
            description =
                    "how many seconds of whole lifecycles a server runs first, unmeasured: one that was just started"
                            + " is slow until its code is compiled (default: ${DEFAULT-VALUE})")
    double first;

    @Override
    void measure(Settings given) throws Exception {
        Settings settings = given.withRate(0);
        if (first > 0)
            LifecycleRun.run(settings.lasting(Duration.ofMillis(Math.round(first * 1e3))), CONNECTIONS, FETCH);
        Settings paced = given.withRate(MeasuringCommands.Handoff.DEFAULT_RATE);
        foundLimit(LimitRun.run(
                settings.bootstrap(), settings.warmup(), settings.measured(), LIMIT_IN_FLIGHT, settings.jobBytes()));
        found(Yardstick.LATENCY, EnqueueRun.run("enqueue, one at a time", settings, 1));
        found(Yardstick.RATE, EnqueueRun.run("enqueue", settings, CONNECTIONS));
        for (int due : OPEN_LOOPS)
            found(
                    Yardstick.NONE,
                    EnqueueRun.run("enqueue, %,d/s due".formatted(due), given.withRate(due), CONNECTIONS));
        found(Yardstick.BATCH_RATE, BatchRun.run(settings, BATCH_CONNECTIONS, BATCH));
        foundSteps(Yardstick.RATE, LifecycleRun.run(settings, CONNECTIONS, FETCH));
        found(Yardstick.LATENCY, HttpHandoffRun.run(paced, PARKED));
        found(Yardstick.LATENCY, PartitionHandoffRun.run(paced, PARKED));
        found(Yardstick.LATENCY, PartitionEnqueueRun.run("log-enqueue, one at a time", settings, 1, 1));
        found(Yardstick.RATE, PartitionEnqueueRun.run("log-enqueue", settings, LOG_IN_FLIGHT, 1));
        found(Yardstick.BATCH_RATE, PartitionEnqueueRun.run("log-batch", settings, BATCH_CONNECTIONS, BATCH));
        found(Yardstick.RATE, PartitionLifecycleRun.run("log-lifecycle", settings, LOG_IN_FLIGHT, 1));
        found(Yardstick.RATE, PartitionLifecycleRun.run("log-lifecycle, batched", settings, LOG_CYCLES, FETCH));
    }
}
