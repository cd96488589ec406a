package io.floodgate.verification.chaos;

import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What every test asks that has a load. */
public final class LoadOptions {
    @Option(names = "--seed", paramLabel = "N", description = "Makes the same choices again. Default: any")
    @Nullable
    private Long seed;

    @Option(
            names = "--rate",
            paramLabel = "N",
            description = "Jobs enqueued in a second at most; while nothing answers, fewer.")
    private int rate = 300;

    /** The one that was asked for, or any. */
    public long chooseSeed() {
        return seed != null ? seed : ThreadLocalRandom.current().nextLong(1_000_000);
    }

    public int rate() {
        return rate;
    }
}
