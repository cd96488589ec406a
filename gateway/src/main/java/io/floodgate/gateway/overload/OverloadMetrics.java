package io.floodgate.gateway.overload;

import io.floodgate.topics.circuit.Circuit;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.atomic.LongAdder;

/** The metrics of how full the server and its partitions are, for Prometheus. */
public final class OverloadMetrics {
    private final MeterRegistry registry;
    private final Overload overload;
    private final MultiGauge circuits;
    private final MultiGauge levels;
    private final MultiGauge behind;
    private final MultiGauge limits;
    private final MultiGauge before;
    private final MultiGauge waiting;
    private final MultiGauge channels;

    public OverloadMetrics(MeterRegistry registry, Overload overload) {
        this.registry = registry;
        this.overload = overload;
        circuits = gauge(registry, "ojs.circuit.state", "0 for closed, 1 for half open, 2 for open");
        levels = gauge(registry, "ojs.overload.level", "0 normal, 1 warning, 2 critical, 3 overflow");
        behind = gauge(
                registry, "ojs.partition.saturation", "How far a partition is behind, as a fraction of its limit");
        limits = gauge(
                registry,
                "ojs.partition.concurrency.limit",
                "Concurrency limit of a partition for commands with new jobs");
        before = gauge(registry, "ojs.partition.concurrency.used", "Commands with new jobs in flight to a partition");
        waiting = gauge(
                registry,
                "ojs.partition.admission.queue.saturation",
                "Requests in the admission queue of a partition, as a fraction of its size");
        channels = gauge(registry, "ojs.channel.saturation", "How full a buffer is, from 0 to 1");
        for (Signal one : overload.signals())
            Gauge.builder("ojs.overload.saturation", () -> one.saturation().getAsDouble())
                    .description("Used fraction of a bound of the server, from 0 to 1")
                    .tag("of", one.name())
                    .register(registry);
    }

    private static MultiGauge gauge(MeterRegistry registry, String name, String description) {
        return MultiGauge.builder(name).description(description).register(registry);
    }

    /** Updates the metrics before they are read. */
    public void update() {
        List<Row<?>> states = new ArrayList<>();
        SortedMap<String, Circuit> all = overload.circuits().all();
        all.forEach((name, circuit) ->
                states.add(Row.of(Tags.of("circuit", name), circuit.state().level())));
        circuits.register(states, true);
        List<Row<?>> steps = new ArrayList<>();
        overload.levels().forEach((of, level) -> steps.add(Row.of(Tags.of("of", of), level.number())));
        levels.register(steps, true);
        List<Row<?>> far = new ArrayList<>();
        List<Row<?>> most = new ArrayList<>();
        List<Row<?>> used = new ArrayList<>();
        List<Row<?>> lines = new ArrayList<>();
        for (PartitionAdmission door : overload.doors()) {
            Tags tags = Tags.of("log", door.log().toString());
            far.add(Row.of(tags, door.saturation()));
            most.add(Row.of(tags, door.line().limit()));
            used.add(Row.of(tags, door.line().inFlight()));
            lines.add(Row.of(tags, door.line().saturation()));
        }
        behind.register(far, true);
        limits.register(most, true);
        before.register(used, true);
        waiting.register(lines, true);
        overload.rejected()
                .forEach((cause, count) -> FunctionCounter.builder("ojs.overload.rejected", count, LongAdder::sum)
                        .description("Requests that were rejected with 503, by cause")
                        .tag("cause", cause)
                        .register(registry));
        List<Row<?>> full = new ArrayList<>();
        overload.buffers().saturations().forEach((name, part) -> full.add(Row.of(Tags.of("channel", name), part)));
        channels.register(full, true);
    }
}
