package io.floodgate.bench;

import io.floodgate.bench.load.Measurement;
import io.floodgate.bench.report.Yardstick;
import io.floodgate.bench.run.RetentionRun;
import io.floodgate.bench.run.Settings;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures what the end of finished jobs costs those who work beside it. */
@Command(
        name = "retention",
        description =
                "Very many finished jobs in one partition whose retention is over: how long it takes until they are gone,"
                        + " and how long one job at a time takes in another queue of that partition, before and meanwhile.")
final class RetentionCommand extends MeasuringCommand {
    /** The fewest jobs that finish in a second, on two cores. */
    private static final int SLOWEST = 1_000;

    @Option(names = "--jobs", defaultValue = "1000000", description = "finished jobs (default: ${DEFAULT-VALUE})")
    int jobs;

    @Option(names = "--workers", defaultValue = "8", description = "who finish them (default: ${DEFAULT-VALUE})")
    int workers;

    @Option(
            names = "--kept",
            defaultValue = "0",
            description = "seconds for which they are kept: longer than it takes to finish them all and to measure what"
                    + " is quiet (default: a second for each thousand of them, and the time of the measurement)")
    long kept;

    @Override
    void measure(Settings settings) throws Exception {
        Duration usual =
                settings.warmup().plus(settings.measured()).plusSeconds(10).plusSeconds(jobs / SLOWEST);
        Duration time = kept > 0 ? Duration.ofSeconds(kept) : Duration.ofSeconds(usual.toSeconds());
        for (Measurement each : new RetentionRun(settings, jobs, workers, time).run()) found(Yardstick.NONE, each);
    }
}
