package io.floodgate.standalone.metrics;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.common.metrics.JmxReporter;
import org.apache.kafka.common.metrics.KafkaMetric;
import org.apache.kafka.common.metrics.MetricsReporter;
import org.jspecify.annotations.Nullable;

/**
 * Shows what a Kafka client or Kafka Streams measures. Kafka makes one for each client, says which metrics come and go, and
 * closes it with the client. Nothing is polled, no meter outlives its client, and the clients of a replaced stream thread are
 * shown at once.
 *
 * <p>Shown are the totals of clients and of stream threads. Metrics by topic, partition, broker or task are left out: their
 * number has no bound, and Micrometer's own binders would show them in place of the totals.
 */
public final class KafkaMeters implements MetricsReporter {
    private static final String REGISTRY = "floodgate.kafka.metrics";
    private static final Set<String> LABELS = Set.of("client-id", "thread-id");

    /** The version of a client, and the number of its metrics. */
    private static final Set<String> SKIPPED = Set.of("app-info", "kafka-metrics-count");

    private final Set<KafkaMetric> mine = ConcurrentHashMap.newKeySet();
    private @Nullable KafkaMetrics shown;

    /** Kafka makes it, by the name of the class. */
    public KafkaMeters() {}

    /** The same configuration of clients, with this reporter in addition to those that it names. */
    static Map<String, Object> shownIn(KafkaMetrics shown, Map<String, Object> kafka) {
        Map<String, Object> config = new HashMap<>(kafka);
        Object others =
                kafka.getOrDefault(CommonClientConfigs.METRIC_REPORTER_CLASSES_CONFIG, JmxReporter.class.getName());
        String before = others.toString().isBlank() ? "" : others + ",";
        config.put(CommonClientConfigs.METRIC_REPORTER_CLASSES_CONFIG, before + KafkaMeters.class.getName());
        config.put(REGISTRY, shown);
        return config;
    }

    @Override
    public void configure(Map<String, ?> config) {
        shown = (KafkaMetrics) config.get(REGISTRY);
    }

    @Override
    public void init(List<KafkaMetric> metrics) {
        metrics.forEach(this::metricChange);
    }

    @Override
    public void metricChange(KafkaMetric metric) {
        if (shown == null || SKIPPED.contains(metric.metricName().group())) return;
        if (!LABELS.containsAll(metric.metricName().tags().keySet())) return;
        mine.add(metric);
        shown.show(metric);
    }

    @Override
    public void metricRemoval(KafkaMetric metric) {
        if (shown != null && mine.remove(metric)) shown.hide(metric);
    }

    @Override
    public void close() {
        mine.forEach(this::metricRemoval);
    }
}
