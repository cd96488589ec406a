package io.floodgate.verification.chaos;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * What the load is like.
 *
 * @param bootstrap brokers to read the events from in the end; without them, events are not checked
 * @param queuePrefix must be new for every run: the history is that of these queues
 * @param enqueuesPerSecond of all producers together, as far as the server keeps up
 * @param visibility how long leases last: short, so that many end while things are down; or the default
 * @param seed of all choices
 * @param bounds of the queues, which are full most of the time; without them, nothing is bounded
 * @param limits of the jobs; without them, nothing is limited
 * @param moves of the queues, of which there are two then; without them, all stay where they are
 */
public record ChaosConfig(
        Optional<String> bootstrap,
        String queuePrefix,
        int queues,
        int producers,
        int workers,
        int enqueuesPerSecond,
        Duration visibility,
        long seed,
        Optional<ChaosBounds> bounds,
        Optional<ChaosLimits> limits,
        Optional<ChaosMoves> moves) {

    /** With queues that stay where they are. */
    public ChaosConfig(
            Optional<String> bootstrap,
            String queuePrefix,
            int queues,
            int producers,
            int workers,
            int enqueuesPerSecond,
            Duration visibility,
            long seed,
            Optional<ChaosBounds> bounds,
            Optional<ChaosLimits> limits) {
        this(
                bootstrap,
                queuePrefix,
                queues,
                producers,
                workers,
                enqueuesPerSecond,
                visibility,
                seed,
                bounds,
                limits,
                Optional.empty());
    }

    /** A load that two cores carry beside the server; every run gets queues and choices of its own. */
    public static ChaosConfig moderate(long seed) {
        return new ChaosConfig(
                Optional.empty(),
                "chaos-" + Long.toString(System.currentTimeMillis(), 36),
                6,
                8,
                12,
                400,
                Duration.ofSeconds(3),
                seed,
                Optional.empty(),
                Optional.empty());
    }

    public ChaosConfig withBootstrap(String servers) {
        return new ChaosConfig(
                Optional.of(servers),
                queuePrefix,
                queues,
                producers,
                workers,
                enqueuesPerSecond,
                visibility,
                seed,
                bounds,
                limits,
                moves);
    }

    public ChaosConfig withEnqueuesPerSecond(int rate) {
        return new ChaosConfig(
                bootstrap, queuePrefix, queues, producers, workers, rate, visibility, seed, bounds, limits, moves);
    }

    /** Leases as they are when nobody says how long: far longer than a run, so that only heartbeats tell who is lost. */
    public static final Duration DEFAULT_LEASE = Duration.ofMinutes(30);

    /** After so long without a heartbeat, a worker's jobs are given to others. */
    private static final Duration HEARTBEAT_TIMEOUT = Duration.ofSeconds(30);

    private static final Duration A_LITTLE = Duration.ofSeconds(10);

    boolean hasDefaultLeases() {
        return visibility.compareTo(DEFAULT_LEASE) >= 0;
    }

    /** What was handed to nobody, or to somebody who is gone, is there again after this time. */
    Duration longestStranded() {
        if (hasDefaultLeases()) return HEARTBEAT_TIMEOUT.plus(A_LITTLE);
        // A run that is spared after an outage keeps its permit, and others wait for it.
        return limits.isPresent() ? visibility.plus(A_LITTLE) : visibility;
    }

    public List<String> queueNames() {
        return IntStream.range(0, queues).mapToObj(i -> queuePrefix + "-" + i).toList();
    }
}
