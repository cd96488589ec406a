package io.floodgate.standalone;

import io.floodgate.gateway.Gateway;
import io.floodgate.processor.Processor;
import io.floodgate.processor.ProcessorConfig;
import io.floodgate.standalone.broker.EmbeddedBroker;
import io.floodgate.standalone.metrics.ProcessMetrics;
import io.floodgate.topics.Routing;
import io.floodgate.topics.client.ClientConfig;
import io.floodgate.topics.client.Cluster;
import io.floodgate.topics.client.Provisioner;
import io.floodgate.topics.client.Replication;
import io.floodgate.topics.client.Shortcuts;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** All roles in this process, wired: {@code floodgate up} runs it, and end-to-end tests start it. */
final class Standalone {
    private static final int NO_STANDBYS = 0;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final String bootstrap;
    private final ClientConfig client;
    private final Gateway gateway;
    private final ProcessMetrics metrics;

    private Standalone(String bootstrap, ClientConfig client, Gateway gateway, ProcessMetrics metrics) {
        this.bootstrap = bootstrap;
        this.client = client;
        this.gateway = gateway;
        this.metrics = metrics;
    }

    /** Returns once jobs are taken and processed. What was started is in {@code running} even if the rest fails. */
    static Standalone start(StandaloneConfig config, Running running) throws InterruptedException {
        var broker = running.add("broker", EmbeddedBroker.start(config.broker()));
        Standalone all = join(broker.bootstrap(), Shortcuts.to(broker.logs()), config, running);
        all.metrics.show(broker.sync());
        return all;
    }

    /** Starts all roles but the broker, on a cluster that is there. */
    static Standalone join(String bootstrap, StandaloneConfig config, Running running) throws InterruptedException {
        return join(bootstrap, Shortcuts.withoutBroker(), config, running);
    }

    private static Standalone join(String bootstrap, Shortcuts shortcuts, StandaloneConfig config, Running running)
            throws InterruptedException {
        Map<String, Object> kafka = new HashMap<>(config.kafka());
        kafka.put("bootstrap.servers", bootstrap);
        var metrics = running.add("metrics", new ProcessMetrics());
        var cluster = metrics.of(Cluster.at(kafka).in(config.namespace()));
        var routing = provision(cluster, shortcuts, config.partitions());
        var processor = running.add(
                "processor", Processor.start(processor(config, cluster, shortcuts), routing, metrics.registry()));
        var client =
                new ClientConfig(cluster.as("gateway"), routing, ClientConfig.DEFAULT_MAX_IN_FLIGHT).with(shortcuts);
        var gateway = running.add("gateway", Gateway.start(config.http().gateway(client), metrics.registry()));
        config.http().webhooks().start(client, gateway, metrics.registry(), running);
        if (!processor.awaitRunning(PATIENCE)) {
            throw new IllegalStateException("the processor has not been assigned its partitions within " + PATIENCE);
        }
        return new Standalone(bootstrap, client, gateway, metrics);
    }

    private static Routing provision(Cluster cluster, Shortcuts shortcuts, int partitions) {
        try (var provisioner = new Provisioner(cluster.as("provision"), shortcuts.logs())) {
            return provisioner.provision(partitions, Replication.NONE);
        }
    }

    private static ProcessorConfig processor(StandaloneConfig config, Cluster cluster, Shortcuts shortcuts) {
        return new ProcessorConfig(
                cluster,
                config.stateDirectory(),
                config.threads(),
                NO_STANDBYS,
                Replication.NONE,
                ProcessorConfig.QUICK_COMMITS,
                config.logs(),
                shortcuts);
    }

    String bootstrap() {
        return bootstrap;
    }

    Routing routing() {
        return client.routing();
    }

    int port() {
        return gateway.port();
    }
}
