package io.floodgate.bench;

import io.floodgate.bench.load.Measurement;
import io.floodgate.bench.report.Yardstick;
import io.floodgate.bench.run.CronRun;
import io.floodgate.bench.run.Settings;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures how late the jobs of schedules are. */
@Command(
        name = "cron",
        description =
                "How late the jobs of schedules are: of schedules that are due once a minute each, and of schedules"
                        + " that are all due in the same second, with what other enqueues take meanwhile.")
final class CronBenchCommand extends MeasuringCommand {
    @Option(
            names = "--schedules",
            defaultValue = "1000",
            description = "schedules that are due once a minute; 0 for none (default: ${DEFAULT-VALUE})")
    int schedules;

    @Option(
            names = "--burst",
            split = ",",
            defaultValue = "1000,10000",
            description = "schedules that are due in the same second, one measurement each (default: ${DEFAULT-VALUE})")
    int[] bursts = {1_000, 10_000};

    @Override
    void measure(Settings settings) throws Exception {
        if (schedules > 0)
            for (Measurement each : new CronRun(settings, "spread").spread(schedules)) found(Yardstick.NONE, each);
        for (int burst : bursts)
            for (Measurement each : new CronRun(settings, "burst-" + burst).burst(burst)) found(Yardstick.NONE, each);
    }
}
