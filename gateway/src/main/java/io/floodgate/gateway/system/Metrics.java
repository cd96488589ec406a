package io.floodgate.gateway.system;

import io.floodgate.gateway.event.Event;
import io.floodgate.gateway.event.EventLog;
import io.floodgate.gateway.queue.PublishedStatus;
import io.floodgate.gateway.queue.StatusTable;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What happened to jobs, counted from the events, and how the queues stand (OJS observability §8). */
public final class Metrics {
    /** Labels beyond this many different ones would cost every scrape; they share one. */
    private static final int MAX_LABELS = 1_000;

    private static final String OTHER = "_other";
    private static final List<String> STATES = List.of("available", "active", "scheduled", "retryable", "pending");

    private record Key(String type, String jobType, String queue) {}

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final Map<Key, Counter> counters = new ConcurrentHashMap<>();
    private final Map<String, Boolean> jobTypes = new ConcurrentHashMap<>();
    private final Map<String, Boolean> queues = new ConcurrentHashMap<>();
    private final StatusTable table;
    private final MultiGauge depth;

    public Metrics(StatusTable table, EventLog log) {
        this.table = table;
        depth = MultiGauge.builder("ojs.queue.depth")
                .description("Jobs that are not finished, by state")
                .register(registry);
        registry.gauge("ojs.queue.count", table, StatusTable::size);
        registry.gauge("ojs.event.subscribers", log, EventLog::subscribers);
        registry.more().counter("ojs.event.dropped", Tags.empty(), log, EventLog::dropped);
    }

    public PrometheusMeterRegistry registry() {
        return registry;
    }

    public void count(Event event) {
        if (!event.type().startsWith("job.")) return;
        String jobType = event.jobType() == null ? "" : capped(event.jobType(), jobTypes);
        String queue = event.queue() == null ? "" : capped(event.queue(), queues);
        counters.computeIfAbsent(new Key(event.type(), jobType, queue), this::counter)
                .increment();
    }

    private Counter counter(Key key) {
        return Counter.builder("ojs." + key.type)
                .description("Events of type " + key.type)
                .tags("job_type", key.jobType, "queue", key.queue)
                .register(registry);
    }

    private static String capped(String label, Map<String, Boolean> seen) {
        if (seen.containsKey(label)) return label;
        if (seen.size() >= MAX_LABELS) return OTHER;
        seen.put(label, true);
        return label;
    }

    String scrape() {
        List<Row<?>> rows = new ArrayList<>();
        for (PublishedStatus status : table.page(0, MAX_LABELS)) {
            for (String state : STATES)
                rows.add(Row.of(Tags.of("queue", status.name(), "state", state), status.number(state)));
        }
        depth.register(rows, true);
        return registry.scrape();
    }
}
