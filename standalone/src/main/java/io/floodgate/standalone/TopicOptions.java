package io.floodgate.standalone;

import io.floodgate.topics.Routing;
import io.floodgate.topics.client.Cluster;
import io.floodgate.topics.client.Provisioner;
import io.floodgate.topics.client.Replication;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InvalidReplicationFactorException;
import picocli.CommandLine.Option;

/** Options for topics when they are created. */
final class TopicOptions {
    @Option(
            names = "--partitions",
            paramLabel = "N",
            defaultValue = "8",
            description = "Number of partitions of the topics: a power of two, at most 4096. It limits how far"
                    + " processing can scale, and cannot be changed later.")
    int partitions = 8;

    int partitions() {
        try {
            return new Routing(partitions).partitions();
        } catch (IllegalArgumentException e) {
            throw new CommandErrors.Rejection(String.valueOf(e.getMessage()));
        }
    }

    /** Creates what is missing. */
    Routing provision(Cluster cluster, Replication replication) {
        try (var provisioner = new Provisioner(cluster)) {
            return provisioner.provision(partitions(), replication);
        } catch (KafkaException failed) {
            if (!(failed.getCause() instanceof InvalidReplicationFactorException)) throw failed;
            throw new CommandErrors.Rejection(
                    "the cluster has too few brokers for %d replicas of each topic. Add brokers, or choose fewer replicas: --replication 1 for a single broker, which loses what its disk loses"
                            .formatted(replication.factor()));
        }
    }
}
