package io.floodgate.standalone.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.binder.kafka.KafkaClientMetrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.metrics.Gauge;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/** Of clients that reach no broker: these measure as well. */
final class KafkaMetersTest {
    private final MeterRegistry registry = new SimpleMeterRegistry();
    private final KafkaMetrics shown = new KafkaMetrics(registry);

    @Test
    void a_producer_has_the_meters_of_micrometers_own_binder() {
        try (var producer = producer("p")) {
            assertThat(ids(registry)).isNotEmpty().isEqualTo(ids(ofMicrometer(new KafkaClientMetrics(producer))));
        }
    }

    @Test
    void a_consumer_has_the_meters_of_micrometers_own_binder() {
        try (var consumer = consumer("c")) {
            assertThat(ids(registry)).isNotEmpty().isEqualTo(ids(ofMicrometer(new KafkaClientMetrics(consumer))));
        }
    }

    @Test
    void a_client_that_is_closed_leaves_nothing() {
        producer("p").close(Duration.ZERO);
        consumer("c").close();

        assertThat(registry.getMeters()).isEmpty();
    }

    /** As a stream thread is replaced: the new one has the names of the old one, which closes later. */
    @Test
    void a_client_that_takes_the_place_of_another_is_shown_once_and_stays() {
        var old = producer("p");
        int meters = registry.getMeters().size();
        try (var replacement = producer("p")) {
            assertThat(registry.getMeters()).hasSize(meters);

            old.close(Duration.ZERO);

            assertThat(registry.getMeters()).hasSize(meters);
            assertThat(registry.get("kafka.producer.buffer.total.bytes").gauge().value())
                    .isEqualTo(value(replacement, "buffer-total-bytes"));
        }
        assertThat(registry.getMeters()).isEmpty();
    }

    @Test
    void what_is_measured_by_topic_partition_broker_or_task_is_not_shown() {
        try (var metrics = metrics()) {
            for (String tag : List.of("topic", "partition", "node-id", "task-id", "processor-node-id"))
                metrics.addMetric(name("some", Map.of("client-id", "c", tag, "1")), (Gauge<Integer>) (c, now) -> 1);
            assertThat(registry.getMeters()).isEmpty();
        }
    }

    @Test
    void a_metric_that_is_text_is_taken_away_when_it_is_read() {
        try (var metrics = metrics()) {
            metrics.addMetric(name("state", Map.of("client-id", "c")), (Gauge<String>) (c, now) -> "RUNNING");

            registry.get("kafka.some.state").gauge().value();

            assertThat(registry.getMeters()).isEmpty();
        }
    }

    @Test
    void other_reporters_stay() {
        Map<String, Object> jmx = KafkaMeters.shownIn(shown, Map.of());
        Map<String, Object> others = KafkaMeters.shownIn(shown, Map.of("metric.reporters", "com.example.Reporter"));

        assertThat(jmx)
                .containsEntry(
                        "metric.reporters",
                        "org.apache.kafka.common.metrics.JmxReporter,io.floodgate.standalone.metrics.KafkaMeters");
        assertThat(others)
                .containsEntry("metric.reporters", "com.example.Reporter,io.floodgate.standalone.metrics.KafkaMeters");
    }

    private Metrics metrics() {
        KafkaMeters reporter = new KafkaMeters();
        reporter.configure(KafkaMeters.shownIn(shown, Map.of()));
        Metrics metrics = new Metrics();
        metrics.addReporter(reporter);
        return metrics;
    }

    private static MetricName name(String name, Map<String, String> tags) {
        return new MetricName(name, "some-metrics", "", tags);
    }

    private Map<String, Object> config(String id) {
        Map<String, Object> config = new HashMap<>(KafkaMeters.shownIn(shown, Map.of()));
        config.put("bootstrap.servers", "127.0.0.1:1");
        config.put("client.id", id);
        config.put("group.id", "g");
        return config;
    }

    private Producer<byte[], byte[]> producer(String id) {
        Map<String, Object> config = config(id);
        config.remove("group.id");
        return new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
    }

    private Consumer<byte[], byte[]> consumer(String id) {
        return new KafkaConsumer<>(config(id), new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    private static MeterRegistry ofMicrometer(KafkaClientMetrics client) {
        MeterRegistry theirs = new SimpleMeterRegistry();
        try (client) {
            client.bindTo(theirs);
            MeterRegistry copy = new SimpleMeterRegistry();
            theirs.getMeters()
                    .forEach(meter ->
                            copy.counter(meter.getId().getName(), meter.getId().getTags()));
            return copy;
        }
    }

    /** Names and labels of totals; theirs have the version of Kafka as well, and when the client was made. */
    private static Set<String> ids(MeterRegistry of) {
        return of.getMeters().stream()
                .map(Meter::getId)
                .filter(id -> !id.getName().startsWith("kafka.app.info") && id.getTag("node.id") == null)
                .map(id -> id.getName()
                        + id.getTags().stream()
                                .filter(tag -> !tag.getKey().equals("kafka.version"))
                                .map(Tag::toString)
                                .toList())
                .collect(Collectors.toSet());
    }

    private static Object value(Producer<?, ?> producer, String metric) {
        return producer.metrics().values().stream()
                .filter(one -> one.metricName().name().equals(metric))
                .map(one -> one.metricValue())
                .findFirst()
                .orElseThrow();
    }
}
