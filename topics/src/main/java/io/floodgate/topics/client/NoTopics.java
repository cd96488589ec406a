package io.floodgate.topics.client;

import io.floodgate.topics.Topics;
import java.util.List;
import java.util.Set;
import org.apache.kafka.common.KafkaException;

/** The cluster does not have the topics of this installation: it is another cluster or namespace, or no processor was ever started. */
public final class NoTopics extends KafkaException {
    private static final String IN_NAMESPACE = "." + Topics.COMMANDS;

    /** @param there all topics that the cluster shows */
    NoTopics(Cluster cluster, Set<String> there) {
        super(
                "The Kafka cluster at %s has no topics of Floodgate%s: %s or %s is missing.%s Start a processor there, or run: floodgate provision"
                        .formatted(
                                cluster.kafka().get("bootstrap.servers"),
                                in(cluster.namespace().name()),
                                cluster.topic(Topics.COMMANDS),
                                cluster.topic(Topics.REPLIES),
                                others(there)));
    }

    private static String in(String namespace) {
        return namespace.isEmpty() ? " without a namespace" : " in namespace '" + namespace + "'";
    }

    private static String others(Set<String> there) {
        List<String> namespaces = there.stream()
                .filter(topic -> topic.endsWith(IN_NAMESPACE))
                .map(topic -> topic.substring(0, topic.length() - IN_NAMESPACE.length()))
                .sorted()
                .toList();
        if (!namespaces.isEmpty()) return " It has namespaces: %s.".formatted(String.join(", ", namespaces));
        return there.contains(Topics.COMMANDS) ? " It has an installation without a namespace." : "";
    }
}
