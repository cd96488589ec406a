package io.floodgate.topics.cron;

import io.floodgate.topics.json.Wire;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a schedule runs.
 *
 * @param catchUpWindow what is later than this is not run
 * @param jitter each run is up to so much later
 * @param maxWait for how long a run waits for room, whatever the strategy of the queue; null if it waits in queues that block
 *     only, for one period at most
 */
public record RunRules(
        OverlapPolicy overlap,
        CatchUp catchUp,
        @Wire.Name("window_ms") Duration catchUpWindow,
        Duration jitter,
        @Nullable Duration maxWait) {
    public static final Duration DEFAULT_WINDOW = Duration.ofDays(1);
    public static final Duration LEAST_WINDOW = Duration.ofSeconds(10);
    public static final Duration MOST_WINDOW = Duration.ofDays(366);
    public static final Duration MOST_WAIT = Duration.ofDays(1);
    public static final Duration MOST_JITTER = Duration.ofHours(1);
    public static final RunRules DEFAULT =
            new RunRules(OverlapPolicy.SKIP, CatchUp.LATEST, DEFAULT_WINDOW, Duration.ZERO, null);
}
