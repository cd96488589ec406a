package io.floodgate.worker;

import io.floodgate.topics.client.Cluster;
import io.floodgate.topics.client.ClusterAccess;
import io.floodgate.topics.client.CommandClient;
import io.floodgate.topics.client.KafkaCommandClient;
import java.time.Duration;
import java.util.Map;

/**
 * The connection of several workers in this process to Floodgate. A worker that is alone brings its own
 * ({@link Worker#kafka}). Close it after its workers.
 */
public final class WorkerConnection implements AutoCloseable {
    /** Time within which a broker has to answer. */
    static final Duration PATIENCE = Duration.ofSeconds(20);

    private static final String ROLE = "worker";

    private final CommandClient client;
    private final Cluster cluster;

    private WorkerConnection(CommandClient client, Cluster cluster) {
        this.client = client;
        this.cluster = cluster;
    }

    /**
     * Connects.
     *
     * @param kafka {@code bootstrap.servers} and anything else Kafka clients understand (TLS, SASL …)
     * @throws IllegalArgumentException without {@code bootstrap.servers}
     * @throws org.apache.kafka.common.KafkaException if the cluster does not answer within 20 s, has no topics of Floodgate,
     *     or does not let this user do what a worker has to
     */
    public static WorkerConnection kafka(Map<String, Object> kafka) {
        return kafka(kafka, "");
    }

    /** The same, for an installation with this {@code --namespace}; empty for none. */
    public static WorkerConnection kafka(Map<String, Object> kafka, String namespace) {
        Cluster cluster = ClusterAccess.cluster(kafka, namespace);
        return new WorkerConnection(connect(cluster, Host.NAME, PATIENCE), cluster);
    }

    /** @param node what the ids of its Kafka clients say, unless the user's properties name them */
    static CommandClient connect(Cluster cluster, String node, Duration patience) {
        return KafkaCommandClient.connect(ClusterAccess.findAsWorker(named(cluster, node), patience));
    }

    static Cluster named(Cluster cluster, String node) {
        return cluster.kafka().containsKey("client.id")
                ? cluster
                : cluster.as(ROLE).onNode(node);
    }

    Cluster cluster() {
        return cluster;
    }

    CommandClient client() {
        return client;
    }

    @Override
    public void close() {
        client.close();
    }
}
