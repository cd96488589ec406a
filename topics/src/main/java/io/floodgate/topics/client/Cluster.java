package io.floodgate.topics.client;

import io.floodgate.topics.Namespace;
import java.util.HashMap;
import java.util.Map;

/**
 * A Kafka cluster as a role uses it.
 *
 * @param kafka {@code bootstrap.servers} and anything else Kafka clients understand (TLS, SASL …)
 * @param role what this process, or part of it, does; empty in programs that are not Floodgate's: they name their clients
 * @param node distinguishes it from others of that role; empty if it has no name yet
 */
public record Cluster(Map<String, Object> kafka, Namespace namespace, String role, String node) {
    /** Makes a cluster whose clients wait for brokers as {@link BrokerTimeouts} say. */
    public Cluster {
        kafka = Map.copyOf(BrokerTimeouts.in(kafka));
    }

    /** Returns a cluster without a namespace, and with clients that have no names. */
    public static Cluster at(Map<String, Object> kafka) {
        return new Cluster(kafka, Namespace.NONE, "", "");
    }

    public Cluster in(Namespace other) {
        return new Cluster(kafka, other, role, node);
    }

    public Cluster as(String otherRole) {
        return new Cluster(kafka, namespace, otherRole, node);
    }

    /** Returns the cluster with this name of the node, unless it has one. */
    public Cluster onNode(String name) {
        return node.isEmpty() ? new Cluster(kafka, namespace, role, name) : this;
    }

    /** Returns the name of this topic in the cluster. */
    public String topic(String plain) {
        return namespace.of(plain);
    }

    /** Returns the properties of a client for this purpose: its id shows operators and quotas whose it is. */
    public Map<String, Object> client(String purpose) {
        if (role.isEmpty()) return kafka;
        Map<String, Object> config = new HashMap<>(kafka);
        config.put("client.id", clientId() + "-" + purpose);
        return config;
    }

    /** Returns the beginning of the ids of all its clients. */
    public String clientId() {
        return namespace.of("floodgate-" + role + (node.isEmpty() ? "" : "-" + node));
    }
}
