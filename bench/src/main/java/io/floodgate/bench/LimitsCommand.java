package io.floodgate.bench;

import io.floodgate.bench.report.Yardstick;
import io.floodgate.bench.run.DeliveryRun;
import io.floodgate.bench.run.Settings;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures rate limits. */
@Command(
        name = "limits",
        description = "How much of a rate limit one key uses, with jobs in queues of eight partitions.")
final class LimitsCommand extends MeasuringCommand {
    @Option(
            names = "--rates",
            split = ",",
            defaultValue = "1,100,5000",
            description = "starts per second to be delivered under a rate (default: ${DEFAULT-VALUE})")
    List<Long> rates = List.of();

    @Option(
            names = "--throttles",
            split = ",",
            defaultValue = "100",
            description = "and under a throttle (default: ${DEFAULT-VALUE})")
    List<Long> throttles = List.of();

    @Override
    void measure(Settings settings) throws Exception {
        DeliveryRun run = new DeliveryRun(settings);
        for (long rate : rates) found(Yardstick.NONE, run.run("rate", rate));
        for (long rate : throttles) found(Yardstick.NONE, run.run("throttle", rate));
    }
}
