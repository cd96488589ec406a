package io.floodgate.standalone;

import io.floodgate.processor.Processor;
import io.floodgate.processor.ProcessorConfig;
import io.floodgate.standalone.metrics.Endpoint;
import io.floodgate.standalone.metrics.ProcessMetrics;
import io.floodgate.standalone.settings.SettingSource;
import io.floodgate.topics.client.Rights.Role;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(name = "processor", description = "Owns a share of the queues, and decides what happens in them.")
final class ProcessorRole implements Callable<Integer> {
    private final SettingSource settings;

    @Mixin
    ClusterOptions cluster = new ClusterOptions();

    @Mixin
    NodeOptions node = new NodeOptions();

    @Mixin
    TopicOptions topics = new TopicOptions();

    @Mixin
    ReplicationOptions replication = new ReplicationOptions();

    @Mixin
    ProcessorOptions processor = new ProcessorOptions();

    @Mixin
    DataOptions data = new DataOptions();

    @Option(
            names = "--standbys",
            paramLabel = "N",
            defaultValue = "1",
            description = "On how many other processors the state of each partition is kept warm.")
    int standbys = 1;

    @Option(
            names = "--processor-port",
            paramLabel = "PORT",
            defaultValue = "0",
            description = "Offers /health, /ready and /metrics of the processor on this port; 0 offers nothing.")
    int port;

    @Option(
            names = "--processor-host",
            paramLabel = "HOST",
            defaultValue = "127.0.0.1",
            description = "The address on which they are offered.")
    String host = "127.0.0.1";

    ProcessorRole(SettingSource settings) {
        this.settings = settings;
    }

    @Override
    public Integer call() throws InterruptedException {
        try (var running = Running.untilTheProcessEnds()) {
            var metrics = running.add("metrics", new ProcessMetrics());
            var clients = metrics.of(cluster.reach(settings, Role.PROCESSOR, node.given(), true));
            var copies = replication.of(clients);
            var routing = topics.provision(clients, copies);
            var config =
                    new ProcessorConfig(clients, data.state(), processor.threads, standbys, copies, processor.logs());
            var started = running.add("processor", Processor.start(config, routing, metrics.registry()));
            if (port != 0)
                running.add(
                        "processor's port",
                        Endpoint.start(host, port, started::isRunning, started::standing, metrics::text));
            System.out.printf("The processor takes its share of %d partitions.%n", routing.partitions());
            running.await();
        }
        return 0;
    }
}
