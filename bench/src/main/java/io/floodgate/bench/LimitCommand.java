package io.floodgate.bench;

import io.floodgate.bench.load.Measurement;
import io.floodgate.bench.report.Yardstick;
import io.floodgate.bench.run.DeliveryRun;
import io.floodgate.bench.run.ManyKeysRun;
import io.floodgate.bench.run.PermitHandoverRun;
import io.floodgate.bench.run.PermitLatencyRun;
import io.floodgate.bench.run.Settings;
import io.floodgate.bench.run.StoppedKeyRun;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures rate limits. */
@Command(
        name = "limits",
        description = {
            "What rate limits deliver, and what they cost. The parts:",
            "  DELIVERY  how much of a limit one key uses, with jobs in eight logs",
            "  KEYS      lifecycles over HTTP with very many keys, none of which is held back",
            "  KEYS_LOG  the same by tens and straight on the log",
            "  BESIDE    lifecycles of jobs without a key, with and without as many jobs with keys that wait; only with --reset",
            "  LATENCY   how much later a job starts for needing a permit",
            "  STOPPED   free jobs behind those of a stopped key",
            "  HANDOVER  how soon a permit that one job gives back starts the next"
        })
final class LimitCommand extends MeasuringCommand {
    enum Part {
        DELIVERY,
        KEYS,
        KEYS_LOG,
        BESIDE,
        LATENCY,
        STOPPED,
        HANDOVER
    }

    @Option(
            names = "--parts",
            split = ",",
            description = "which of them, with commas between them (default: all but BESIDE)")
    Set<Part> parts = EnumSet.complementOf(EnumSet.of(Part.BESIDE));

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

    @Option(names = "--keys", defaultValue = "10000", description = "very many keys (default: ${DEFAULT-VALUE})")
    int keys;

    @Option(
            names = "--turns",
            defaultValue = "3",
            description = "how often what is compared takes turns (default: ${DEFAULT-VALUE})")
    int turns;

    @Option(
            names = "--stopped",
            defaultValue = "100000",
            description = "jobs of the stopped key (default: ${DEFAULT-VALUE})")
    int stopped;

    @Override
    void measure(Settings settings) throws Exception {
        for (Part part : Part.values()) if (parts.contains(part)) measure(part, settings);
    }

    private void measure(Part part, Settings settings) throws Exception {
        switch (part) {
            case DELIVERY -> {
                DeliveryRun run = new DeliveryRun(settings);
                for (long rate : rates) found(Yardstick.NONE, run.run("rate", rate));
                for (long rate : throttles) found(Yardstick.NONE, run.run("throttle", rate));
            }
            case KEYS -> found(new ManyKeysRun(settings, keys, turns).overHttp());
            case KEYS_LOG -> found(new ManyKeysRun(settings, keys, turns).onLog());
            case BESIDE -> found(new ManyKeysRun(settings, keys, turns).runBesideKeys());
            case LATENCY -> found(new PermitLatencyRun(settings).run());
            case STOPPED -> found(new StoppedKeyRun(settings, stopped).run());
            case HANDOVER -> found(new PermitHandoverRun(settings).run());
        }
    }

    private void found(List<Measurement> all) {
        for (Measurement each : all) found(Yardstick.NONE, each);
    }
}
