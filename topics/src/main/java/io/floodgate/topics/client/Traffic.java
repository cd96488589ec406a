package io.floodgate.topics.client;

import io.floodgate.topics.LogId;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** What a client has under way, log by log and lane by lane: what may be sent is decided here, and can be read for metrics. */
public final class Traffic {
    /** What a record takes besides its value: headers, framing, bookkeeping. */
    private static final int RECORD_OVERHEAD = 256;

    private final Map<Lane, Budget> commands = new EnumMap<>(Lane.class);
    private final Budget work;
    private final Budget completions;
    private final Map<LogId, LongAdder> refused = new ConcurrentHashMap<>();
    private final Set<LogId> silent = ConcurrentHashMap.newKeySet();

    Traffic(ClientLimits limits) {
        commands.put(Lane.COMPLETIONS, Budget.unlimited());
        commands.put(Lane.WORK, Budget.shared(limits.inFlight()));
        commands.put(Lane.READS, Budget.shared(limits.inFlight()));
        commands.put(Lane.WAITS, Budget.shared(limits.waits()));
        commands.put(Lane.PROBES, Budget.perLog(limits.probesPerLog()));
        work = Budget.shared(limits.workBytes());
        completions = Budget.shared(limits.completionBytes());
    }

    /** Commands to this log that wait for their replies, by their weight. */
    public long inFlight(LogId log, Lane lane) {
        return commands(lane).taken(log);
    }

    /** Commands to this log that were refused because too much was under way. */
    public long refused(LogId log) {
        LongAdder count = refused.get(log);
        return count == null ? 0 : count.sum();
    }

    /** What Kafka has not acknowledged yet. */
    public long unacknowledgedBytes(LogId log) {
        return work.taken(log) + completions.taken(log);
    }

    /** Whether the log has let a command wait in vain, and has not answered any since. */
    public boolean isSilent(LogId log) {
        return silent.contains(log);
    }

    public List<LogId> silentLogs() {
        return silent.stream().sorted().toList();
    }

    /** Whether one more command of this {@linkplain Lane#weight weight} may be under way; if so, it is. */
    boolean admit(LogId log, Lane lane, int weight, int valueBytes) {
        if (!commands(lane).take(log, weight)) return refuse(log);
        if (bytes(lane).take(log, recordBytes(valueBytes))) return true;
        commands(lane).giveBack(log, weight);
        return refuse(log);
    }

    private boolean refuse(LogId log) {
        refused.computeIfAbsent(log, l -> new LongAdder()).increment();
        return false;
    }

    /** Kafka has the command, or will not get it. */
    void appended(LogId log, Lane lane, int valueBytes) {
        bytes(lane).giveBack(log, recordBytes(valueBytes));
    }

    void ended(LogId log, Lane lane, int weight) {
        commands(lane).giveBack(log, weight);
    }

    void heard(LogId log) {
        if (!silent.isEmpty()) silent.remove(log);
    }

    void unheard(LogId log) {
        silent.add(log);
    }

    private Budget commands(Lane lane) {
        return java.util.Objects.requireNonNull(commands.get(lane));
    }

    /** By the producer that carries the lane. */
    private Budget bytes(Lane lane) {
        return switch (lane) {
            case COMPLETIONS, PROBES -> completions;
            case WORK, READS, WAITS -> work;
        };
    }

    private static long recordBytes(int valueBytes) {
        return RECORD_OVERHEAD + (long) valueBytes;
    }
}
