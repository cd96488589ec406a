package io.floodgate.topics.client;

import io.floodgate.topics.PartitionId;
import io.floodgate.topics.circuit.BreakerState;
import io.floodgate.topics.circuit.Circuit;
import io.floodgate.topics.command.TrafficClass;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A circuit for each partition, whose answers are replies, and one for Kafka, whose answers are acknowledged records. While one is
 * open, nothing is sent that way but what must be tried as long as it may arrive: completions, and questions how the partition is.
 */
public final class PartitionCircuits {
    /** Name of the circuit around Kafka. */
    public static final String KAFKA = "kafka";

    private static final Logger LOG = LoggerFactory.getLogger(PartitionCircuits.class);

    private final Circuit.Settings settings;
    private final LongSupplier nanos;
    private final Circuit kafka;
    private final ConcurrentMap<PartitionId, Circuit> byLog = new ConcurrentHashMap<>();

    /** @param nanos a clock like {@code System.nanoTime()} */
    public PartitionCircuits(Circuit.Settings settings, LongSupplier nanos) {
        this.settings = settings;
        this.nanos = nanos;
        kafka = circuit(KAFKA);
    }

    /** Returns circuits that never open, for callers that have breakers of their own. */
    static PartitionCircuits neverOpen() {
        return new PartitionCircuits(Circuit.Settings.NEVER, System::nanoTime);
    }

    private Circuit circuit(String name) {
        return new Circuit(settings, nanos, state -> tell(name, state));
    }

    private void tell(String name, BreakerState state) {
        switch (state) {
            case OPEN ->
                LOG.warn(
                        "{} does not answer: requests that need it are rejected for {} s, or until it answers again.",
                        name,
                        settings.breaker().rest().toSeconds());
            case HALF_OPEN -> LOG.info("{} is tried again.", name);
            case CLOSED -> LOG.info("{} answers again.", name);
        }
    }

    /** Returns the circuit of appending records. */
    public Circuit kafka() {
        return kafka;
    }

    public Circuit of(PartitionId log) {
        return byLog.computeIfAbsent(log, id -> circuit(id.toString()));
    }

    /**
     * Returns why a command is not to be sent now. If it may be sent, it has to be: it may be the one that finds out.
     */
    Optional<CommandCircuitOpen> reject(PartitionId log, TrafficClass traffic) {
        return switch (traffic) {
            case COMPLETIONS, PROBES -> Optional.empty();
            case WAITS -> isOpen(log);
            case WORK, FETCHES, SEARCHES, READS -> {
                Circuit own = of(log);
                if (!kafka.tryPass()) yield Optional.of(new CommandCircuitOpen("Kafka", kafka.pause()));
                if (own.tryPass()) yield Optional.empty();
                kafka.withdrawn(kafka.probe());
                yield Optional.of(new CommandCircuitOpen(log.toString(), own.pause()));
            }
        };
    }

    /** Returns whether commands of this class are let through one at a time, to find out. */
    static boolean findsOut(TrafficClass traffic) {
        return switch (traffic) {
            case COMPLETIONS, PROBES, WAITS -> false;
            case WORK, FETCHES, SEARCHES, READS -> true;
        };
    }

    /** Returns why no command gets there at present, for callers that have not asked yet. */
    Optional<CommandCircuitOpen> isOpen(PartitionId log) {
        if (!kafka.mayWait()) return Optional.of(new CommandCircuitOpen("Kafka", kafka.pause()));
        Circuit own = of(log);
        return own.mayWait() ? Optional.empty() : Optional.of(new CommandCircuitOpen(log.toString(), own.pause()));
    }

    public boolean isSilent(PartitionId log) {
        Circuit circuit = byLog.get(log);
        return circuit != null && circuit.isSilent();
    }

    public List<PartitionId> silentLogs() {
        return byLog.keySet().stream().filter(this::isSilent).sorted().toList();
    }

    /** Returns the circuits that are not closed, by name. */
    public SortedMap<String, Circuit> notClosed() {
        SortedMap<String, Circuit> found = new TreeMap<>();
        if (kafka.state() != BreakerState.CLOSED) found.put(KAFKA, kafka);
        byLog.forEach((log, circuit) -> {
            if (circuit.state() != BreakerState.CLOSED) found.put(log.toString(), circuit);
        });
        return found;
    }

    /** Returns all circuits, by name. */
    public SortedMap<String, Circuit> all() {
        SortedMap<String, Circuit> all = new TreeMap<>();
        all.put(KAFKA, kafka);
        byLog.forEach((log, circuit) -> all.put(log.toString(), circuit));
        return all;
    }

    /**
     * Returns whether all partitions should be asked how they are: one circuit is not closed, or is close to opening.
     * Answers of others show whether a partition is silent or Kafka is, and an answer of one that is back closes its
     * circuit.
     */
    public boolean isWorthAsking() {
        Duration soon = settings.stall().dividedBy(2);
        return all().values().stream()
                .anyMatch(circuit -> circuit.state() != BreakerState.CLOSED
                        || circuit.unansweredFor().compareTo(soon) >= 0);
    }
}
