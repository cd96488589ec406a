package io.floodgate.gateway.system;

import io.floodgate.gateway.capacity.CapacityCache;
import io.floodgate.gateway.event.EventLog;
import io.floodgate.gateway.event.EventStreams;
import io.floodgate.gateway.http.Observer;
import io.floodgate.gateway.limit.LimitOperations;
import io.floodgate.gateway.memory.MemoryBudget;
import io.floodgate.gateway.overload.Overload;
import io.floodgate.gateway.overload.OverloadMetrics;
import io.floodgate.gateway.queue.QueueTopics;
import io.floodgate.gateway.queue.StatusTable;
import io.floodgate.gateway.source.SourceStanding;
import io.floodgate.topics.event.OjsEvent;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * The metrics of a gateway: jobs, counted from the events; queues and partitions; and requests (OJS observability §8).
 */
public final class Metrics implements Observer {
    /** The most queues with meters, and the most combinations of job type and queue. */
    private static final int MAX_LABELS = 1_000;

    /** The most keys of rate limits with meters of their own. */
    private static final int MAX_KEYS = 200;

    /** Most labels of a histogram, each of which is some twenty series for Prometheus. */
    private static final int MAX_HISTOGRAM_LABELS = 100;

    private record Served(String operation, int statusClass) {}

    private final PrometheusMeterRegistry registry;
    private final JobMetrics jobs;
    private final Map<Served, Timer> served = new ConcurrentHashMap<>();
    private final QueueMetrics queues;
    private final LimitMetrics limits;
    private final SourceMetrics sources;
    private final OverloadMetrics full;
    private final MultiGauge alarms;
    private final Counter created;
    private final Counter deleted;
    private final Lock scraping = new ReentrantLock();
    private final AtomicLong silentLogs = new AtomicLong();
    private final AtomicLong quarantine = new AtomicLong();

    /** @param registry for what is counted here; all that is in it is shown */
    public Metrics(
            PrometheusMeterRegistry registry,
            StatusTable table,
            CapacityCache doors,
            EventLog log,
            EventStreams streams,
            MemoryBudget memory,
            Overload overload,
            Clock clock) {
        this.registry = registry;
        jobs = new JobMetrics(registry, MAX_LABELS, MAX_HISTOGRAM_LABELS);
        full = new OverloadMetrics(registry, overload);
        queues = new QueueMetrics(registry, table, doors, clock, MAX_LABELS);
        limits = new LimitMetrics(registry, MAX_KEYS);
        sources = new SourceMetrics(registry, clock);
        created = Counter.builder("ojs.queue.created.count")
                .description("Queues that came into being, by their first job or by an operator")
                .register(registry);
        deleted = Counter.builder("ojs.queue.deleted.count")
                .description("Queues that were deleted")
                .register(registry);
        alarms = MultiGauge.builder("ojs.partition.alarm")
                .description("Raised alarms, by partition and code")
                .register(registry);
        gauge("ojs.partition.silent", "Partitions that do not answer", silentLogs, Number::doubleValue);
        gauge(
                "ojs.partition.quarantined",
                "Quarantined objects on which no operator has decided yet",
                quarantine,
                Number::doubleValue);
        gauge("ojs.event.subscribers", "Open streams of events", streams, EventStreams::open);
        gauge("ojs.http.memory.taken", "Bytes of requests and answers under way", memory, MemoryBudget::taken);
        counter("ojs.event.dropped", "Events that a stream was too slow for", log, EventLog::lost);
    }

    public void count(QueueTopics topics) {
        counter(
                "ojs.queue.topics.lost",
                "Topics that were deleted while their queues existed",
                topics,
                QueueTopics::lost);
    }

    private <T> void gauge(String name, String description, T of, ToDoubleFunction<T> value) {
        Gauge.builder(name, of, value).description(description).register(registry);
    }

    private <T> void counter(String name, String description, T of, ToDoubleFunction<T> value) {
        FunctionCounter.builder(name, of, value).description(description).register(registry);
    }

    public PrometheusMeterRegistry registry() {
        return registry;
    }

    @Override
    public void served(String operation, int status, Duration time) {
        served.computeIfAbsent(new Served(operation, status / 100), this::timer).record(time);
    }

    private Timer timer(Served key) {
        return Timer.builder("ojs.http.request")
                .description("Requests served, waiting included")
                .tags("operation", key.operation, "status", key.statusClass + "xx")
                .register(registry);
    }

    /** @param source of the figures of this many keys of rate limits */
    public void showLimits(IntFunction<Collection<LimitOperations.Gauge>> source) {
        limits.askFor(source);
    }

    public void showSources(Supplier<List<SourceStanding>> source) {
        sources.askFor(source);
    }

    public void count(OjsEvent event) {
        limits.count(event);
        if (event.type().equals("queue.created")) created.increment();
        if (event.type().equals("queue.deleted")) deleted.increment();
        jobs.count(event);
    }

    /** One at a time: the rows of a table are put in and taken out as they are read. */
    String scrape(Readiness.Finding logs) {
        scraping.lock();
        try {
            return scrapeNow(logs);
        } finally {
            scraping.unlock();
        }
    }

    private String scrapeNow(Readiness.Finding logs) {
        queues.update();
        limits.update();
        sources.update();
        full.update();
        silentLogs.set(logs.silent().size());
        quarantine.set(logs.quarantine());
        List<Row<?>> standing = new ArrayList<>();
        for (Readiness.Alarm alarm : logs.alarms())
            standing.add(Row.of(Tags.of("log", alarm.log().toString(), "code", alarm.code()), 1));
        alarms.register(standing, true);
        return registry.scrape();
    }
}
