package io.floodgate.gateway.system;

import io.floodgate.gateway.door.Doors;
import io.floodgate.gateway.queue.PublishedStatus;
import io.floodgate.gateway.queue.StatusTable;
import io.floodgate.topics.queue.Overflow;
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
import java.util.function.ToDoubleFunction;

/**
 * What the queues are measured by, as their logs have published it: depths, and how bounds are kept, under the names of OJS
 * backpressure §10.2 and under those of the site's page about it.
 */
final class QueueMetrics {
    private static final List<String> STATES = List.of("available", "active", "scheduled", "retryable", "pending");

    /** The meters of a queue, and what they count, which they hold but weakly. */
    private record Counters(Rejected figures, List<FunctionCounter> meters) {}

    /**
     * What a queue's log has refused and, as long as the log has not been told, what was refused here. While it is being
     * told it may be in neither; what was shown does not shrink for that.
     */
    private final class Rejected {
        private final String queue;
        private long shown;

        Rejected(String queue) {
            this.queue = queue;
        }

        synchronized long count() {
            shown = Math.max(shown, table.number(queue, "rejected") + doors.untold(queue));
            return shown;
        }
    }

    private final MeterRegistry registry;
    private final StatusTable table;
    private final Doors doors;
    private final int most;
    private final MultiGauge depth;
    private final List<MultiGauge> pressure;
    private final List<MultiGauge> bounds;
    private final MultiGauge utilization;
    private final MultiGauge blocked;
    private final Map<String, Counters> counters = new HashMap<>();

    /** @param most queues that are told apart */
    QueueMetrics(MeterRegistry registry, StatusTable table, Doors doors, int most) {
        this.registry = registry;
        this.table = table;
        this.doors = doors;
        this.most = most;
        depth = MultiGauge.builder("ojs.queue.depth")
                .description("Jobs that are not finished, by state")
                .register(registry);
        pressure = List.of(pressure("ojs.backpressure.pressure"), pressure("ojs.queue.pressure"));
        bounds = List.of(bound("ojs.backpressure.max.depth"), bound("ojs.queue.max.size"));
        utilization = MultiGauge.builder("ojs.queue.utilization")
                .description("Unfinished jobs of a queue with a bound on them, as a part of that")
                .register(registry);
        blocked = MultiGauge.builder("ojs.queue.blocked.producers")
                .description("Producers that wait for room in a queue")
                .register(registry);
        registry.gauge("ojs.queue.count", table, StatusTable::size);
        FunctionCounter.builder("ojs.backpressure.refused.early", doors, Doors::refused)
                .description("Jobs that this gateway has refused without asking their queue's log")
                .register(registry);
    }

    private MultiGauge bound(String metric) {
        return MultiGauge.builder(metric)
                .description("The bound on the depth of a queue that has one")
                .register(registry);
    }

    private MultiGauge pressure(String metric) {
        return MultiGauge.builder(metric)
                .description("How full a queue with a bound is: depth / bound, or size / bound if that is more")
                .register(registry);
    }

    synchronized void update() {
        List<Row<?>> depths = new ArrayList<>();
        List<Row<?>> pressures = new ArrayList<>();
        List<Row<?>> depthBounds = new ArrayList<>();
        List<Row<?>> utilizations = new ArrayList<>();
        List<Row<?>> waiting = new ArrayList<>();
        Set<String> counted = new LinkedHashSet<>();
        for (PublishedStatus status : table.page(0, most)) {
            Tags queue = Tags.of("queue", status.name());
            for (String state : STATES) depths.add(Row.of(queue.and("state", state), status.number(state)));
            QueueConfig config = status.config();
            if (config.isBounded())
                pressures.add(Row.of(
                        queue,
                        Math.min(
                                1,
                                config.pressure(
                                        status.room().depth(), status.room().bytes()))));
            if (config.isBounded() || status.number("blocked") > 0)
                waiting.add(Row.of(queue, status.number("blocked")));
            if (config.depthBound() > 0) {
                depthBounds.add(Row.of(queue, config.depthBound()));
                double part = (double) status.room().depth() / config.depthBound();
                utilizations.add(Row.of(queue, Math.min(1, part)));
            }
            if (config.isBounded() || status.number("rejected") > 0 || status.number("dropped") > 0)
                counted.add(status.name());
        }
        depth.register(depths, true);
        for (MultiGauge gauge : pressure) gauge.register(pressures, true);
        for (MultiGauge gauge : bounds) gauge.register(depthBounds, true);
        utilization.register(utilizations, true);
        blocked.register(waiting, true);
        count(counted);
    }

    private void count(Set<String> names) {
        for (String name : names) counters.computeIfAbsent(name, this::counters);
        counters.entrySet().removeIf(entry -> {
            if (names.contains(entry.getKey())) return false;
            entry.getValue().meters().forEach(registry::remove);
            return true;
        });
    }

    private Counters counters(String name) {
        Rejected rejected = new Rejected(name);
        List<FunctionCounter> meters = new ArrayList<>();
        for (String family : List.of("ojs.backpressure", "ojs.queue")) {
            meters.add(counter(
                    family + ".rejected",
                    "Jobs that were refused because their queue was full",
                    name,
                    rejected,
                    Rejected::count));
            meters.add(counter(
                    family + ".dropped",
                    "Jobs that made room for newer ones",
                    name,
                    table,
                    statuses -> statuses.number(name, "dropped")));
        }
        meters.add(overflow(name, Overflow.REJECT, rejected, Rejected::count));
        meters.add(overflow(name, Overflow.DROP_OLDEST, table, statuses -> statuses.number(name, "dropped")));
        return new Counters(rejected, meters);
    }

    /** Whoever has waited in vain is refused, too. */
    private <T> FunctionCounter overflow(String queue, Overflow policy, T source, ToDoubleFunction<T> count) {
        return FunctionCounter.builder("ojs.queue.overflow.count", source, count)
                .description("Jobs that were refused, or made room for newer ones")
                .tags("queue", queue, "policy", policy.wire())
                .register(registry);
    }

    private <T> FunctionCounter counter(
            String metric, String description, String queue, T source, ToDoubleFunction<T> count) {
        return FunctionCounter.builder(metric, source, count)
                .description(description)
                .tag("queue", queue)
                .register(registry);
    }
}
