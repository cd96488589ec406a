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
        Special special) {
    /** The default lease: far longer than a run, so that only heartbeats show which worker is lost. */
    public static final Duration DEFAULT_LEASE = Duration.ofMinutes(30);

    /** The time without a heartbeat after which other workers get a worker's jobs. */
    private static final Duration HEARTBEAT_TIMEOUT = Duration.ofSeconds(30);

    private static final Duration A_LITTLE = Duration.ofSeconds(10);

    public ChaosConfig with(Special other) {
        return new ChaosConfig(
                bootstrap, queuePrefix, queues, producers, workers, enqueuesPerSecond, visibility, seed, other);
    }

    /** What is special about the load, if it is this. */
    <T extends Special> Optional<T> special(Class<T> kind) {
        return Optional.of(special).filter(kind::isInstance).map(kind::cast);
    }

    boolean hasDefaultLeases() {
        return visibility.compareTo(DEFAULT_LEASE) >= 0;
    }

    /** Jobs that reached no worker, or a worker that is gone, are available again after this time. */
    Duration longestStranded() {
        if (hasDefaultLeases()) return HEARTBEAT_TIMEOUT.plus(A_LITTLE);
        // A run that is spared after an outage keeps its permit, and others wait for it.
        return special instanceof Special.Limits ? visibility.plus(A_LITTLE) : visibility;
    }

    public List<String> queueNames() {
        return IntStream.range(0, queues).mapToObj(i -> queuePrefix + "-" + i).toList();
    }

    /** The time between two enqueues of one producer. */
    Duration pause() {
        return Duration.ofNanos(1_000_000_000L * producers / enqueuesPerSecond);
    }
}
