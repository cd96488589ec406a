package io.floodgate.standalone.metrics;

import io.floodgate.standalone.broker.disk.GroupSync;
import io.floodgate.topics.client.ClientConfig;
import io.floodgate.topics.client.Cluster;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmInfoMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The meters of this process: of its JVM, of its Kafka clients, and what its roles add. */
public final class ProcessMetrics implements AutoCloseable {
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final KafkaMetrics kafka = new KafkaMetrics(registry);
    private final JvmGcMetrics collections = new JvmGcMetrics();

    public ProcessMetrics() {
        collections.bindTo(registry);
        List.of(
                        new JvmInfoMetrics(),
                        new JvmMemoryMetrics(),
                        new JvmThreadMetrics(),
                        new ClassLoaderMetrics(),
                        new ProcessorMetrics(),
                        new FileDescriptorMetrics(),
                        new UptimeMetrics())
                .forEach(meters -> meters.bindTo(registry));
    }

    public PrometheusMeterRegistry registry() {
        return registry;
    }

    public void show(GroupSync sync) {
        FunctionTimer.builder("floodgate.broker.sync", sync, GroupSync::syncs, GroupSync::nanos, TimeUnit.NANOSECONDS)
                .description("Syncs of the embedded broker's logs, which answers wait for.")
                .register(registry);
    }

    /** Returns the properties for clients whose metrics are to be shown. */
    public Map<String, Object> of(Map<String, Object> clients) {
        return KafkaMeters.shownIn(kafka, clients);
    }

    /** The same cluster, with clients whose metrics are shown. */
    public Cluster of(Cluster cluster) {
        return new Cluster(of(cluster.kafka()), cluster.namespace(), cluster.role(), cluster.node());
    }

    public ClientConfig of(ClientConfig client) {
        return new ClientConfig(of(client.cluster()), client.routing(), client.limits(), client.shortcuts());
    }

    /** Returns all meters as Prometheus reads them. */
    public String text() {
        return registry.scrape();
    }

    @Override
    public void close() {
        collections.close();
        registry.close();
    }
}
