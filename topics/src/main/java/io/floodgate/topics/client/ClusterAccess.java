package io.floodgate.topics.client;

import io.floodgate.topics.Namespace;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/** The way of the libraries into a cluster: from the Kafka properties of their users to a {@link ClientConfig}. */
public final class ClusterAccess {
    private static final String BOOTSTRAP = "bootstrap.servers";
    private static final Duration NOTICE = Duration.ofSeconds(3);

    private ClusterAccess() {}

    /**
     * Asks nothing of the cluster.
     *
     * @param kafka {@code bootstrap.servers} and anything else Kafka clients understand (TLS, SASL …)
     * @param namespace empty for none
     * @throws IllegalArgumentException if there are no brokers, or the namespace is not valid
     */
    public static Cluster cluster(Map<String, Object> kafka, String namespace) {
        if (!namesBrokers(kafka.get(BOOTSTRAP)))
            throw new IllegalArgumentException(
                    "The Kafka properties have no %s, for example Map.of(\"%s\", \"localhost:9092\")."
                            .formatted(BOOTSTRAP, BOOTSTRAP));
        return Cluster.at(kafka).in(new Namespace(namespace));
    }

    /** Kafka takes a string and a list. */
    private static boolean namesBrokers(@Nullable Object brokers) {
        return brokers instanceof Collection<?> list
                ? !list.isEmpty()
                : brokers != null && !brokers.toString().isBlank();
    }

    /**
     * Looks for Floodgate's topics there.
     *
     * @param patience how long to wait for a broker to answer
     * @throws KafkaException that says what is wrong if no broker answers, or Floodgate's topics are not there
     */
    public static ClientConfig find(Cluster cluster, Duration patience) {
        try (Provisioner provisioner = new Provisioner(cluster)) {
            provisioner.reach(NOTICE, patience);
            return config(cluster, provisioner);
        }
    }

    /** The same for a worker, which is also asked whether it may do what it has to ({@link MissingRights}). */
    public static ClientConfig findAsWorker(Cluster cluster, Duration patience) {
        try (Provisioner provisioner = new Provisioner(cluster)) {
            provisioner.reach(NOTICE, patience);
            provisioner.checkRights(Rights.Role.WORKER, false);
            return config(cluster, provisioner);
        }
    }

    private static ClientConfig config(Cluster cluster, Provisioner provisioner) {
        return new ClientConfig(cluster, provisioner.existingRouting(), ClientConfig.DEFAULT_MAX_IN_FLIGHT);
    }
}
