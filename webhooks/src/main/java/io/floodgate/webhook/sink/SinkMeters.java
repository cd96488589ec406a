package io.floodgate.webhook.sink;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** The meters of one sink in this process, which end with its writer. */
final class SinkMeters implements AutoCloseable {
    private static final String SINK = "sink";

    private final MeterRegistry registry;
    private final Counter records;
    private final Counter skipped;
    private final Counter failures;
    private final List<Meter> all = new ArrayList<>();

    /** @param behind events that are still to be looked at */
    SinkMeters(MeterRegistry registry, String sink, Supplier<Number> behind) {
        this.registry = registry;
        records = counter("floodgate.sink.records", "Outcomes of jobs that were written to the topic of a sink.", sink);
        skipped = counter("floodgate.sink.skipped", "Outcomes that can be no record of a sink.", sink);
        failures =
                counter("floodgate.sink.failures", "Attempts to write to the topic of a sink that have failed.", sink);
        all.add(Gauge.builder("floodgate.sink.events.behind", behind)
                .description("Events that are still to be looked at for a sink.")
                .tag(SINK, sink)
                .register(registry));
    }

    private Counter counter(String name, String what, String sink) {
        Counter counter =
                Counter.builder(name).description(what).tag(SINK, sink).register(registry);
        all.add(counter);
        return counter;
    }

    void wrote(int count) {
        records.increment(count);
    }

    void skipped() {
        skipped.increment();
    }

    void failed() {
        failures.increment();
    }

    @Override
    public void close() {
        all.forEach(registry::remove);
    }
}
