package io.floodgate.standalone;

import io.floodgate.topics.client.Cluster;
import io.floodgate.topics.client.Provisioner;
import io.floodgate.topics.client.Replication;
import picocli.CommandLine.Option;

/** Options for the number of replicas in the cluster. */
final class ReplicationOptions {
    private static final short DEFAULT = 3;

    @Option(
            names = "--replication",
            paramLabel = "N",
            defaultValue = "0",
            description = "Number of replicas of each topic when it is created. 0: as many as ojs.commands has, or"
                    + " 3 if there is no such topic.")
    short factor;

    @Option(
            names = "--allow-unsafe-replication",
            description = "Start although topics have a lower min.insync.replicas than their replication less one."
                    + " A broker failure can then lose acknowledged records.")
    boolean unsafe;

    /** Returns the replication that was asked for, or that the cluster has. */
    Replication of(Cluster cluster) {
        return new Replication(factor(cluster), unsafe);
    }

    private short factor(Cluster cluster) {
        if (factor < 0) throw new CommandErrors.Rejection("--replication must be 1 or more, not " + factor);
        if (factor > 0) return factor;
        try (var provisioner = new Provisioner(cluster)) {
            return provisioner.replication().orElse(DEFAULT);
        }
    }
}
