package io.floodgate.processor.topology;

import io.floodgate.topics.PartitionId;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** The meters of one partition, in a registry as long as the partition is open. */
final class PartitionMeters implements AutoCloseable {
    private final MeterRegistry registry;
    private final Map<Meter, AtomicLong> values = new EnumMap<>(Meter.class);
    private final List<Gauge> gauges = new ArrayList<>();

    PartitionMeters(PartitionId log, MeterRegistry registry) {
        this.registry = registry;
        for (Meter meter : Meter.values()) {
            if (meter.kind != Meter.Kind.PARTITION_GAUGE) continue;
            AtomicLong value = new AtomicLong();
            values.put(meter, value);
            gauges.add(Gauge.builder(meter.metricName(), value, set -> set.get() * meter.unit)
                    .description(meter.description)
                    .tag("log", log.toString())
                    .register(registry));
        }
    }

    void set(Meter meter, long value) {
        of(meter).setPlain(value);
    }

    long get(Meter meter) {
        return of(meter).get();
    }

    private AtomicLong of(Meter meter) {
        AtomicLong value = values.get(meter);
        if (value == null) throw new IllegalArgumentException(meter + " is not measured by partition");
        return value;
    }

    @Override
    public void close() {
        gauges.forEach(registry::remove);
    }
}
