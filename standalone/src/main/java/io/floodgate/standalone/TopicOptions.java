package io.floodgate.standalone;

import io.floodgate.topics.Routing;
import io.floodgate.topics.client.Cluster;
import io.floodgate.topics.client.Provisioner;
import io.floodgate.topics.client.Replication;
import picocli.CommandLine.Option;

/** How topics are laid out when they are created. */
final class TopicOptions {
    @Option(
            names = "--partitions",
            paramLabel = "N",
            defaultValue = "8",
            description = "How far processing can be spread: a power of two, fixed when the topics are created.")
    int partitions = 8;

    int partitions() {
        try {
            return new Routing(partitions).partitions();
        } catch (IllegalArgumentException e) {
            throw new CommandErrors.Refusal(String.valueOf(e.getMessage()));
        }
    }

    /** Creates what is missing. */
    Routing provision(Cluster cluster, Replication replication) {
        try (var provisioner = new Provisioner(cluster)) {
            return provisioner.provision(partitions(), replication);
        }
    }
}
