package io.floodgate.topics.client;

import io.floodgate.topics.PartitionId;
import io.floodgate.topics.command.CommandType;
import io.floodgate.topics.command.TrafficClass;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Commands that a client has under way, by partition and traffic class: it decides what may be sent, and can be read
 * for metrics.
 */
public final class Traffic {
    /** Bytes of a record besides its value: headers, framing, bookkeeping. */
    private static final int RECORD_OVERHEAD = 256;

    private final Map<TrafficClass, Budget> commands = new EnumMap<>(TrafficClass.class);
    private final Budget work;
    private final Budget completions;
    private final Map<PartitionId, LongAdder> rejected = new ConcurrentHashMap<>();
    private final PartitionCircuits circuits;
    private final Buffers buffers = new Buffers();
    private final Map<PartitionId, LatencyTracker> pulses = new ConcurrentHashMap<>();

    public Traffic(ClientLimits limits, PartitionCircuits circuits) {
        this.circuits = circuits;
        commands.put(TrafficClass.COMPLETIONS, Budget.unlimited());
        commands.put(TrafficClass.WORK, Budget.shared(limits.inFlight()));
        commands.put(TrafficClass.FETCHES, Budget.shared(limits.inFlight()));
        commands.put(TrafficClass.SEARCHES, Budget.shared(limits.inFlight()));
        commands.put(TrafficClass.READS, Budget.shared(limits.inFlight()));
        commands.put(TrafficClass.WAITS, Budget.shared(limits.waits()));
        commands.put(TrafficClass.PROBES, Budget.perLog(limits.probesPerLog()));
        work = Budget.shared(limits.workBytes());
        completions = Budget.shared(limits.completionBytes());
        buffers.add("in_flight", this::saturation);
        buffers.add("unacknowledged", this::bytesSaturation);
        buffers.add("fetches", () -> commands(TrafficClass.FETCHES).saturation());
        buffers.add("waits", () -> commands(TrafficClass.WAITS).saturation());
        buffers.add("unacknowledged_completions", completions::saturation);
    }

    /** Commands to this partition that wait for their replies, by their weight. */
    public long inFlight(PartitionId log, TrafficClass kind) {
        return commands(kind).taken(log);
    }

    /** Commands to this partition that were rejected because too much was under way. */
    public long rejected(PartitionId log) {
        LongAdder count = rejected.get(log);
        return count == null ? 0 : count.sum();
    }

    /** Returns the bytes that Kafka has not acknowledged yet. */
    public long unacknowledgedBytes(PartitionId log) {
        return work.taken(log) + completions.taken(log);
    }

    /** Returns the tracker of how far a partition is behind. */
    public LatencyTracker latencyTracker(PartitionId log) {
        return pulses.computeIfAbsent(log, id -> new LatencyTracker(System::nanoTime));
    }

    /**
     * Returns how many commands and questions to all partitions wait for a reply, as a part of those that may. Fetches
     * are not among them: they have capacity of their own, and must not keep out new jobs.
     */
    public double saturation() {
        return Math.max(
                commands(TrafficClass.WORK).saturation(),
                commands(TrafficClass.READS).saturation());
    }

    /** Returns the bytes that Kafka has not acknowledged, as a part of those that may be. */
    public double bytesSaturation() {
        return work.saturation();
    }

    /** Returns the buffers of this client and of its senders. */
    public Buffers buffers() {
        return buffers;
    }

    /** Returns the circuits, which know what partitions answer. */
    public PartitionCircuits circuits() {
        return circuits;
    }

    /**
     * Admits one more command of this {@linkplain CommandType#weight weight}; returns why not, if it may not be under
     * way.
     *
     * @param source who it is for; null for this process itself
     */
    Optional<CommandNotSent> admit(
            PartitionId log, @Nullable String source, TrafficClass kind, int weight, int valueBytes) {
        String shared = sharing(kind, source);
        if (!commands(kind).take(log, shared, weight)) return reject(log, new TooManyInFlight(log));
        Optional<CommandNotSent> rejection = bytes(kind).take(log, shared, recordBytes(valueBytes))
                ? circuits.reject(log, kind).map(CommandNotSent.class::cast)
                : Optional.of(new TooManyInFlight(log));
        if (rejection.isEmpty()) {
            if (kind != TrafficClass.WAITS) circuits.of(log).asked();
            return rejection;
        }
        if (rejection.get() instanceof CommandCircuitOpen) bytes(kind).giveBack(log, shared, recordBytes(valueBytes));
        commands(kind).giveBack(log, shared, weight);
        return reject(log, rejection.get());
    }

    /** The same for a job that goes to this partition by way of the topic of its queue: how long that takes says nothing of the partition. */
    Optional<CommandNotSent> admitElsewhere(PartitionId log, @Nullable String source, int valueBytes) {
        if (!commands(TrafficClass.WORK).take(log, source, 1)) return reject(log, new TooManyInFlight(log));
        if (bytes(TrafficClass.WORK).take(log, source, recordBytes(valueBytes))) return Optional.empty();
        commands(TrafficClass.WORK).giveBack(log, source, 1);
        return reject(log, new TooManyInFlight(log));
    }

    /**
     * Returns the source that shares. Commands that are never shed have no shares, and neither has this process itself.
     */
    private static @Nullable String sharing(TrafficClass kind, @Nullable String source) {
        return kind.isEssential() ? null : source;
    }

    private Optional<CommandNotSent> reject(PartitionId log, CommandNotSent why) {
        rejected.computeIfAbsent(log, l -> new LongAdder()).increment();
        return Optional.of(why);
    }

    /** Kafka has the command, or will not get it. */
    void appended(PartitionId log, @Nullable String source, TrafficClass kind, int valueBytes) {
        bytes(kind).giveBack(log, sharing(kind, source), recordBytes(valueBytes));
    }

    void ended(PartitionId log, @Nullable String source, TrafficClass kind, int weight) {
        commands(kind).giveBack(log, sharing(kind, source), weight);
    }

    void heard(PartitionId log) {
        circuits.of(log).answered();
    }

    /**
     * Returns the number of a command that was admitted just now, if it is the one that finds out whether the partition
     * answers.
     */
    long probe(PartitionId log, TrafficClass kind) {
        return PartitionCircuits.findsOut(kind) ? circuits.of(log).probe() : 0;
    }

    void unanswered(PartitionId log, long probe, @Nullable Throwable failure) {
        if (failure instanceof NoReply none && none.isTimedOut())
            circuits.of(log).timedOut();
        else circuits.of(log).withdrawn(probe);
    }

    private Budget commands(TrafficClass kind) {
        return java.util.Objects.requireNonNull(commands.get(kind));
    }

    /** Returns the bytes of the producer that carries the class. */
    private Budget bytes(TrafficClass kind) {
        return switch (kind) {
            case COMPLETIONS, PROBES -> completions;
            case WORK, FETCHES, SEARCHES, READS, WAITS -> work;
        };
    }

    private static long recordBytes(int valueBytes) {
        return RECORD_OVERHEAD + (long) valueBytes;
    }
}
