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
 * @param keys of the jobs; without them, no job is unique
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
        Optional<ChaosMoves> moves,
        Optional<ChaosKeys> keys) {

    /** Without bounds, limits and moves. */
    public static ChaosConfig plain(
            Optional<String> bootstrap,
            String queuePrefix,
            int queues,
            int producers,
            int workers,
            int enqueuesPerSecond,
            Duration visibility,
            long seed) {
        return new ChaosConfig(
                bootstrap,
                queuePrefix,
                queues,
                producers,
                workers,
                enqueuesPerSecond,
                visibility,
                seed,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    /** A load that two cores carry beside the server; every run gets queues and choices of its own. */
    public static ChaosConfig moderate(long seed) {
        String prefix = "chaos-" + Long.toString(System.currentTimeMillis(), 36);
        return plain(Optional.empty(), prefix, 6, 8, 12, 400, Duration.ofSeconds(3), seed);
    }

    public ChaosConfig withBootstrap(String servers) {
        return with(Optional.of(servers), enqueuesPerSecond, bounds, limits, moves);
    }

    public ChaosConfig withEnqueuesPerSecond(int rate) {
        return with(bootstrap, rate, bounds, limits, moves);
    }

    public ChaosConfig withBounds(ChaosBounds wanted) {
        return with(bootstrap, enqueuesPerSecond, Optional.of(wanted), limits, moves);
    }

    public ChaosConfig withLimits(ChaosLimits wanted) {
        return with(bootstrap, enqueuesPerSecond, bounds, Optional.of(wanted), moves);
    }

    public ChaosConfig withKeys(ChaosKeys wanted) {
        return new ChaosConfig(
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
                moves,
                Optional.of(wanted));
    }

    public ChaosConfig withMoves(ChaosMoves wanted) {
        return with(bootstrap, enqueuesPerSecond, bounds, limits, Optional.of(wanted));
    }

    private ChaosConfig with(
            Optional<String> servers,
            int rate,
            Optional<ChaosBounds> bounded,
            Optional<ChaosLimits> limited,
            Optional<ChaosMoves> moved) {
        return new ChaosConfig(
                servers,
                queuePrefix,
                queues,
                producers,
                workers,
                rate,
                visibility,
                seed,
                bounded,
                limited,
                moved,
                keys);
    }

    /** The default lease: far longer than a run, so that only heartbeats show which worker is lost. */
    public static final Duration DEFAULT_LEASE = Duration.ofMinutes(30);

    /** The time without a heartbeat after which other workers get a worker's jobs. */
    private static final Duration HEARTBEAT_TIMEOUT = Duration.ofSeconds(30);

    private static final Duration A_LITTLE = Duration.ofSeconds(10);

    boolean hasDefaultLeases() {
        return visibility.compareTo(DEFAULT_LEASE) >= 0;
    }

    /** Jobs that reached no worker, or a worker that is gone, are available again after this time. */
    Duration longestStranded() {
        if (hasDefaultLeases()) return HEARTBEAT_TIMEOUT.plus(A_LITTLE);
        // A run that is spared after an outage keeps its permit, and others wait for it.
        return limits.isPresent() ? visibility.plus(A_LITTLE) : visibility;
    }

    public List<String> queueNames() {
        return IntStream.range(0, queues).mapToObj(i -> queuePrefix + "-" + i).toList();
    }
}
