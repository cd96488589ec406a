package io.floodgate.verification;

import io.floodgate.verification.chaos.ChaosConfig;
import io.floodgate.verification.chaos.ChaosLoad;
import io.floodgate.verification.chaos.LoadOptions;
import io.floodgate.verification.chaos.Special;
import io.floodgate.verification.history.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The load of the crash test without the crashes: kill what you like meanwhile. */
@Command(
        name = "chaos",
        description = "Producers and workers that survive whatever is killed, and a check of what they saw."
                + " Kill and restart the server meanwhile; it must be up in the end.",
        mixinStandardHelpOptions = true)
final class Chaos implements Callable<Integer> {
    private static final Duration DRAIN = Duration.ofMinutes(3);

    @Option(names = "--url", description = "Where the gateway is.")
    String url = "http://localhost:8080";

    @Option(names = "--bootstrap", description = "The Kafka brokers, to check the events too.")
    @Nullable
    String bootstrap;

    @Option(names = "--seconds", description = "How long to enqueue.")
    int seconds = 30;

    @Mixin
    private LoadOptions loadOptions = new LoadOptions();

    @Override
    public Integer call() throws Exception {
        long chosen = loadOptions.chooseSeed();
        ChaosConfig config = new ChaosConfig(
                Optional.ofNullable(bootstrap),
                "chaos-" + Long.toString(System.currentTimeMillis(), 36),
                6,
                8,
                12,
                loadOptions.rate(),
                Duration.ofSeconds(3),
                chosen,
                Special.NOTHING);
        System.out.printf("%s, queues %s-…, seed %d%n", url, config.queuePrefix(), chosen);
        CountDownLatch never = new CountDownLatch(1);
        Verdict verdict;
        try (ChaosLoad load = ChaosLoad.start(List.of(url), config)) {
            for (int left = seconds; left > 0; left -= 5) {
                var unused = never.await(Math.min(left, 5), TimeUnit.SECONDS);
                System.out.println(load.progress());
            }
            load.stop(DRAIN);
            verdict = Verdict.of(load.history());
        }
        verdict.print(System.out);
        return verdict.passed() ? 0 : 1;
    }
}
