package io.floodgate.gateway;

import io.floodgate.gateway.access.Authenticator;
import io.floodgate.gateway.admin.StatsHistory;
import io.floodgate.gateway.capacity.CapacityCache;
import io.floodgate.gateway.event.EventFeed;
import io.floodgate.gateway.event.EventLog;
import io.floodgate.gateway.event.EventStreams;
import io.floodgate.gateway.http.Dispatcher;
import io.floodgate.gateway.memory.MemoryBudget;
import io.floodgate.gateway.overload.LevelHysteresis;
import io.floodgate.gateway.overload.Overload;
import io.floodgate.gateway.overload.OverloadSettings;
import io.floodgate.gateway.queue.QueueTopics;
import io.floodgate.gateway.queue.StatusFeed;
import io.floodgate.gateway.queue.StatusTable;
import io.floodgate.gateway.system.Metrics;
import io.floodgate.gateway.system.PartitionOwners.Owner;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.Topics;
import io.floodgate.topics.circuit.Circuit;
import io.floodgate.topics.client.ClientLimits;
import io.floodgate.topics.client.Traffic;
import io.floodgate.topics.schema.SchemaCatalog;
import io.floodgate.topics.webhook.WebhookTargets;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** The whole API in front of fake logs, at a time that stands still. */
public final class TestApi {
    public static final Instant NOW = Instant.parse("2026-02-12T10:30:00Z");
    public static final String FRIENDLY_ORIGIN = "https://jobs.example";
    public static final String FRIENDLY_HOST = "jobs.example";

    /** Room for one request of that size, and not for two. */
    public static final int LARGE = 600_000;

    public static final int EVENT_STREAMS = 3;

    /** As by default, but that the backlog is full with 1,000 jobs. */
    public static final OverloadSettings OVERLOAD = new OverloadSettings(
            Circuit.Settings.DEFAULT,
            LevelHysteresis.Thresholds.DEFAULT,
            new OverloadSettings.Limits(5_000, Duration.ofSeconds(5), 1_000),
            OverloadSettings.Line.DEFAULT);

    public final FakePartitions logs = new FakePartitions().leaveOutCounts();
    /** Of partitions that do not answer. */
    public final Map<PartitionId, Owner> owners = new TreeMap<>();

    public final Clock clock = Clock.fixed(NOW, ZoneOffset.UTC);
    public final AtomicBoolean loaded = new AtomicBoolean(true);
    /** The clock for short times, which stands still, too, until a test sets it. */
    public final AtomicLong nanos = new AtomicLong();

    final GatewayContext parts;
    public final MemoryBudget memory;
    public final CapacityCache doors;
    public final Traffic traffic;
    public final Overload overload;
    public final SchemaCatalog schemas;
    public final StatusTable table;
    public final EventLog events;
    public final EventStreams streams;
    public final Metrics metrics;
    public final StatsHistory history;
    public final AtomicBoolean closing;

    public TestApi() {
        this(1_000, 1_000);
    }

    /**
     * @param keptEvents how many events it keeps
     * @param listedQueues how many queues it lists
     */
    public TestApi(int keptEvents, int listedQueues) {
        parts = GatewayContext.of(
                new GatewayLimits(
                        100, 1_300_000, keptEvents, 1_000L * keptEvents, EVENT_STREAMS, listedQueues, OVERLOAD),
                ClientLimits.DEFAULT,
                clock,
                nanos::get,
                loaded::get,
                new PrometheusMeterRegistry(PrometheusConfig.DEFAULT));
        memory = parts.memory();
        doors = parts.doors();
        traffic = parts.traffic();
        overload = parts.overload();
        schemas = parts.schemas();
        table = parts.table();
        events = parts.events();
        streams = parts.streams();
        metrics = parts.metrics();
        history = parts.history();
        closing = parts.closing();
    }

    public final FakeSourceTopics sources = new FakeSourceTopics();

    static GatewayConfig config(boolean testMode, Duration defaultWait) {
        return config(testMode, defaultWait, GatewayConfig.Services.NONE);
    }

    static GatewayConfig config(boolean testMode, Duration defaultWait, GatewayConfig.Services services) {
        return new GatewayConfig(
                "127.0.0.1",
                0,
                null,
                testMode,
                Duration.ofMillis(500),
                defaultWait,
                Duration.ZERO,
                new GatewayConfig.Access(
                        List.of(FRIENDLY_ORIGIN), List.of(FRIENDLY_HOST), Optional.empty(), Optional.empty(), services),
                new GatewayLimits(100, 0, 0, 0, 0, 0, OVERLOAD),
                QueueTopics.Settings.DEFAULT,
                WebhookTargets.PUBLIC);
    }

    Dispatcher dispatcher(GatewayConfig config, Authenticator callers) {
        return Api.dispatcher(
                config, logs, parts, QueueTopics.none(table), partition -> owners.get(partition), sources, callers);
    }

    public void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    /** As if an event about this job had come. */
    public void happenedTo(String job) {
        happened("{\"id\":\"evt_x\",\"type\":\"job.completed\",\"time\":\"t\",\"subject\":\"%s\"}".formatted(job));
    }

    /** As if this event had come. */
    public void happened(String json) {
        ConsumerRecord<String, byte[]> record =
                new ConsumerRecord<>(Topics.EVENTS, 0, 1L, "q", json.getBytes(StandardCharsets.UTF_8));
        new EventFeed(events, parts::happened).read(List.of(record), Map.of());
    }

    /** As if a partition had published this status of a queue. */
    public void published(String json) {
        ConsumerRecord<String, byte[]> record =
                new ConsumerRecord<>(Topics.QUEUE_STATUS, 0, 1L, "q", json.getBytes(StandardCharsets.UTF_8));
        new StatusFeed(table).read(List.of(record), Map.of());
    }
}
