package io.floodgate.verification;

import io.floodgate.verification.chaos.ChaosConfig;
import io.floodgate.verification.chaos.ChaosLoad;
import io.floodgate.verification.history.Verdict;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The load of the crash test without the crashes: kill what you like meanwhile. */
@Command(
        name = "chaos",
        description = "Producers and workers that survive whatever is killed, and a check of what they saw."
                + " Kill and restart the server meanwhile; it must be up in the end.",
        mixinStandardHelpOptions = true)
final class Chaos implements Callable<Integer> {
    private static final Duration DRAIN = Duration.ofMinutes(3);

    @Option(
            names = "--url",
            defaultValue = "http://localhost:8080",
            description = "where the gateway is (default: ${DEFAULT-VALUE})")
    String url = "";

    @Option(names = "--bootstrap", description = "the Kafka brokers, to check the events too")
    @Nullable
    String bootstrap;

    @Option(names = "--seconds", defaultValue = "30", description = "how long to enqueue (default: ${DEFAULT-VALUE})")
    int seconds;

    @Option(names = "--rate", defaultValue = "400", description = "enqueues per second (default: ${DEFAULT-VALUE})")
    int rate;

    @Option(names = "--seed", description = "of all choices (default: another one every time)")
    @Nullable
    Long seed;

    @Override
    public Integer call() throws Exception {
        long chosen = seed == null ? System.nanoTime() : seed;
        ChaosConfig config = ChaosConfig.moderate(chosen).withEnqueuesPerSecond(rate);
        if (bootstrap != null) config = config.withBootstrap(bootstrap);
        System.out.printf("%s, queues %s-…, seed %d%n", url, config.queuePrefix(), chosen);
        CountDownLatch never = new CountDownLatch(1);
        Verdict verdict;
        try (ChaosLoad load = ChaosLoad.start(url, config)) {
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
