package io.floodgate.standalone;

import io.floodgate.processor.Processor;
import io.floodgate.processor.ProcessorConfig;
import io.floodgate.standalone.metrics.ProcessMetrics;
import io.floodgate.standalone.settings.SettingSource;
import io.floodgate.topics.client.Rights.Role;
import io.floodgate.topics.client.Shortcuts;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(name = "processor", description = "Owns a share of the partitions, and executes the commands of their queues.")
final class ProcessorRole implements Callable<Integer> {
    private static final Duration LEAST_COMMIT_INTERVAL = Duration.ofMillis(10);

    /** A transaction is given up by brokers after a few times as long. */
    private static final Duration MOST_COMMIT_INTERVAL = Duration.ofSeconds(5);

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
            description = "Number of other processors that keep a warm copy of the state of each partition.")
    int standbys = 1;

    @Option(
            names = "--commit-interval",
            paramLabel = "DURATION",
            defaultValue = "PT0.5S",
            description = "Interval between transaction commits, which publish events and queue status. Replies do"
                    + " not wait for commits; rarer commits cost brokers less.")
    Duration commitInterval = Duration.ofMillis(500);

    @Mixin
    MetricsPortOptions metricsPort = new MetricsPortOptions();

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
            var config = new ProcessorConfig(
                    clients,
                    data.state(),
                    processor.threads,
                    standbys,
                    copies,
                    checkedCommitInterval(),
                    processor.logs(),
                    Shortcuts.withoutBroker());
            var started = running.add("processor", Processor.start(config, routing, metrics.registry()));
            metricsPort.serve(running, started::isRunning, started::standing, metrics);
            System.out.printf("The processor takes its share of %d partitions.%n", routing.partitions());
            running.await();
        }
        return 0;
    }

    private Duration checkedCommitInterval() {
        if (commitInterval.compareTo(LEAST_COMMIT_INTERVAL) < 0 || commitInterval.compareTo(MOST_COMMIT_INTERVAL) > 0)
            throw new CommandErrors.Rejection("--commit-interval must be from %s to %s, not %s"
                    .formatted(LEAST_COMMIT_INTERVAL, MOST_COMMIT_INTERVAL, commitInterval));
        return commitInterval;
    }
}
