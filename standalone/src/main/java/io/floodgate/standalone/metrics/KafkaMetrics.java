package io.floodgate.standalone.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.metrics.KafkaMetric;
import org.apache.kafka.common.metrics.stats.CumulativeSum;

/**
 * The metrics of all Kafka clients of this process as meters, named as Micrometer's {@code KafkaClientMetrics} and {@code
 * KafkaStreamsMetrics} name them.
 */
final class KafkaMetrics {
    private record Shown(KafkaMetric metric, Meter meter) {}

    private final Map<MetricName, Shown> shown = new ConcurrentHashMap<>();
    private final MeterRegistry registry;

    KafkaMetrics(MeterRegistry registry) {
        this.registry = registry;
    }

    /** Instead of another one of that name: a new stream thread has the name of the one that it replaces. */
    void show(KafkaMetric metric) {
        shown.compute(metric.metricName(), (name, before) -> {
            if (before != null) registry.remove(before.meter);
            return new Shown(metric, meter(metric));
        });
    }

    /** Hides a metric, unless another one of that name is shown by now. */
    void hide(KafkaMetric metric) {
        shown.computeIfPresent(metric.metricName(), (name, now) -> {
            if (now.metric != metric) return now;
            registry.remove(now.meter);
            return null;
        });
    }

    private Meter meter(KafkaMetric metric) {
        MetricName name = metric.metricName();
        String meter = ("kafka." + name.group().replace("-metrics", "") + "." + name.name()).replace('-', '.');
        List<Tag> tags = name.tags().entrySet().stream()
                .map(tag -> Tag.of(tag.getKey().replace('-', '.'), tag.getValue()))
                .toList();
        boolean isCounter = metric.isMeasurable() && metric.measurable() instanceof CumulativeSum;
        return isCounter
                ? FunctionCounter.builder(meter, metric, this::value)
                        .description(name.description())
                        .tags(tags)
                        .register(registry)
                : Gauge.builder(meter, metric, this::value)
                        .description(name.description())
                        .tags(tags)
                        .register(registry);
    }

    /** A metric that is text shows when it is first read: Kafka may hold locks while it announces it. */
    private double value(KafkaMetric metric) {
        Object value = metric.metricValue();
        if (value instanceof Number number) return number.doubleValue();
        if (value != null) hide(metric);
        return Double.NaN;
    }
}
