package io.floodgate.processor.topology;

import io.floodgate.topics.LogId;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.DoubleSupplier;

/** What a processor counts, and the text that Prometheus reads. */
final class Meters {
    private final Map<Meter, LongAdder> counters = new EnumMap<>(Meter.class);
    private final Map<Meter, DoubleSupplier> gauges = new EnumMap<>(Meter.class);
    private final Map<LogId, Map<Meter, AtomicLong>> logs = new ConcurrentSkipListMap<>();
    private final AtomicLong longestNanos = new AtomicLong();

    Meters() {
        for (Meter meter : Meter.values()) if (meter.kind == Meter.Kind.COUNTER) counters.put(meter, new LongAdder());
        gauge(Meter.STEP_SECONDS_MAX, () -> longestNanos.getAndSet(0) / 1e9);
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
        gauges.put(meter, value);
    }

    void took(long nanos) {
        longestNanos.accumulateAndGet(nanos, Math::max);
    }

    void set(LogId log, Meter meter, long value) {
        AtomicLong current = logs.computeIfAbsent(log, id -> noValues()).get(meter);
        if (current == null) throw new IllegalArgumentException(meter + " is not measured by log");
        current.setPlain(value);
    }

    /** @param end of the log; nothing of one that is not this processor's */
    void behind(LogId log, long end) {
        Map<Meter, AtomicLong> values = logs.get(log);
        if (values == null) return;
        long position = Objects.requireNonNull(values.get(Meter.LOG_POSITION)).get();
        set(log, Meter.LOG_LAG, Math.max(0, end - 1 - position));
    }

    private static Map<Meter, AtomicLong> noValues() {
        Map<Meter, AtomicLong> values = new EnumMap<>(Meter.class);
        for (Meter meter : Meter.values()) if (meter.kind == Meter.Kind.LOG_GAUGE) values.put(meter, new AtomicLong());
        return values;
    }

    /** The log is somebody else's now. */
    void forget(LogId log) {
        logs.remove(log);
    }

    synchronized String text() {
        StringBuilder text = new StringBuilder();
        for (Meter meter : Meter.values()) {
            String name = meter.metricName();
            text.append("# HELP ")
                    .append(name)
                    .append(' ')
                    .append(meter.description)
                    .append('\n');
            text.append("# TYPE ").append(name);
            text.append(meter.kind == Meter.Kind.COUNTER ? " counter\n" : " gauge\n");
            switch (meter.kind) {
                case COUNTER ->
                    text.append(name).append(' ').append(counted(meter)).append('\n');
                case GAUGE -> {
                    DoubleSupplier value = gauges.get(meter);
                    if (value != null)
                        text.append(name)
                                .append(' ')
                                .append(value.getAsDouble())
                                .append('\n');
                }
                case LOG_GAUGE ->
                    logs.forEach((log, values) -> {
                        AtomicLong value = values.get(meter);
                        text.append(name).append("{log=\"").append(log).append("\"} ");
                        text.append(value == null ? 0 : value.get()).append('\n');
                    });
            }
        }
        return text.toString();
    }
}
