package io.floodgate.processor.topology;

import io.floodgate.topics.PartitionId;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.DoubleSupplier;

/** The meters of a processor, in a registry as long as the processor runs. Counting costs no more than adding. */
final class Meters implements AutoCloseable {
    private final MeterRegistry registry;
    private final Map<Meter, LongAdder> counters = new EnumMap<>(Meter.class);
    private final Map<PartitionId, PartitionMeters> logs = new ConcurrentHashMap<>();
    private final List<io.micrometer.core.instrument.Meter> registered = new ArrayList<>();
    private final AtomicLong longestNanos = new AtomicLong();
    private final ScheduleMeters schedules;

    Meters(MeterRegistry registry) {
        this.registry = registry;
        schedules = new ScheduleMeters(registry, System::nanoTime);
        for (Meter meter : Meter.values()) if (meter.kind == Meter.Kind.COUNTER) counters.put(meter, counter(meter));
        gauge(Meter.STEP_SECONDS_MAX, () -> longestNanos.getAndSet(0) / 1e9);
    }

    private LongAdder counter(Meter meter) {
        LongAdder counter = new LongAdder();
        registered.add(FunctionCounter.builder(meter.metricName(), counter, LongAdder::sum)
                .description(meter.description)
                .register(registry));
        return counter;
    }

    void count(Meter meter) {
        count(meter, 1);
    }

    void count(Meter meter, long number) {
        LongAdder counter = counters.get(meter);
        if (counter == null) throw new IllegalArgumentException(meter + " is not counted");
        counter.add(number);
    }

    long counted(Meter meter) {
        LongAdder counter = counters.get(meter);
        return counter == null ? 0 : counter.sum();
    }

    synchronized void gauge(Meter meter, DoubleSupplier value) {
        registered.add(Gauge.builder(meter.metricName(), value::getAsDouble)
                .description(meter.description)
                .register(registry));
    }

    ScheduleMeters schedules() {
        return schedules;
    }

    void took(long nanos) {
        if (nanos > longestNanos.getPlain()) longestNanos.accumulateAndGet(nanos, Math::max);
    }

    /** Makes the meters of a partition that this processor opens, perhaps not for the first time. */
    PartitionMeters opened(PartitionId log) {
        return logs.compute(log, (id, before) -> {
            if (before != null) before.close();
            return new PartitionMeters(id, registry);
        });
    }

    /** @param end of the partition; nothing of one that is not this processor's */
    void behind(PartitionId log, long end) {
        PartitionMeters meters = logs.get(log);
        if (meters != null)
            meters.set(Meter.PARTITION_LAG, Math.max(0, end - 1 - meters.get(Meter.PARTITION_POSITION)));
    }

    /** The partition is closed, unless it has been opened again meanwhile. */
    void closed(PartitionId log, PartitionMeters meters) {
        if (!logs.remove(log, meters)) return;
        meters.close();
        schedules.closed(log);
    }

    @Override
    public synchronized void close() {
        logs.forEach(this::closed);
        schedules.close();
        registered.forEach(registry::remove);
        registered.clear();
    }
}
