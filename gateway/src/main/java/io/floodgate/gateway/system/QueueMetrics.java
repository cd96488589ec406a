package io.floodgate.gateway.system;

import io.floodgate.gateway.queue.PublishedStatus;
import io.floodgate.gateway.queue.StatusTable;
import io.floodgate.topics.queue.QueueConfig;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What the queues are measured by, as their logs have published it: depths, and how bounds are kept, under the names of OJS
 * backpressure §10.2 and under those of the site's page about it.
 */
final class QueueMetrics {
    private static final List<String> STATES = List.of("available", "active", "scheduled", "retryable", "pending");

    private final MeterRegistry registry;
    private final StatusTable table;
    private final int most;
    private final MultiGauge depth;
    private final List<MultiGauge> pressure;
    private final MultiGauge bound;
    private final Map<String, List<FunctionCounter>> counters = new HashMap<>();

    /** @param most queues that are told apart */
    QueueMetrics(MeterRegistry registry, StatusTable table, int most) {
        this.registry = registry;
        this.table = table;
        this.most = most;
        depth = MultiGauge.builder("ojs.queue.depth")
                .description("Jobs that are not finished, by state")
                .register(registry);
        pressure = List.of(pressure("ojs.backpressure.pressure"), pressure("ojs.queue.pressure"));
        bound = MultiGauge.builder("ojs.backpressure.max.depth")
                .description("The bound on the depth of a queue that has one")
                .register(registry);
        registry.gauge("ojs.queue.count", table, StatusTable::size);
    }

    private MultiGauge pressure(String metric) {
        return MultiGauge.builder(metric)
                .description("How full a queue with a bound is: depth / bound, or size / bound if that is more")
                .register(registry);
    }

    synchronized void update() {
        List<Row<?>> depths = new ArrayList<>();
        List<Row<?>> pressures = new ArrayList<>();
        List<Row<?>> bounds = new ArrayList<>();
        Set<String> counted = new LinkedHashSet<>();
        for (PublishedStatus status : table.page(0, most)) {
            Tags queue = Tags.of("queue", status.name());
            for (String state : STATES) depths.add(Row.of(queue.and("state", state), status.number(state)));
            QueueConfig config = status.config();
            if (config.isBounded())
                pressures.add(Row.of(
                        queue, Math.min(1, config.pressure(status.number("depth"), status.number("size_bytes")))));
            if (config.depthBound() > 0) bounds.add(Row.of(queue, config.depthBound()));
            if (config.isBounded() || status.number("rejected") > 0 || status.number("dropped") > 0)
                counted.add(status.name());
        }
        depth.register(depths, true);
        for (MultiGauge gauge : pressure) gauge.register(pressures, true);
        bound.register(bounds, true);
        count(counted);
    }

    private void count(Set<String> names) {
        for (String name : names) counters.computeIfAbsent(name, this::counters);
        counters.entrySet().removeIf(entry -> {
            if (names.contains(entry.getKey())) return false;
            entry.getValue().forEach(registry::remove);
            return true;
        });
    }

    private List<FunctionCounter> counters(String name) {
        List<FunctionCounter> counting = new ArrayList<>();
        for (String family : List.of("ojs.backpressure", "ojs.queue")) {
            counting.add(counter(
                    family + ".rejected", "Jobs that were refused because their queue was full", name, "rejected"));
            counting.add(counter(family + ".dropped", "Jobs that made room for newer ones", name, "dropped"));
        }
        return counting;
    }

    private FunctionCounter counter(String metric, String description, String queue, String figure) {
        return FunctionCounter.builder(metric, table, statuses -> statuses.number(queue, figure))
                .description(description)
                .tag("queue", queue)
                .register(registry);
    }
}
