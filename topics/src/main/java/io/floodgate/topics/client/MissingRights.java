package io.floodgate.topics.client;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.SaslConfigs;

/** A role's user may not do what it has to. */
public final class MissingRights extends KafkaException {
    private static final Pattern USER = Pattern.compile("username=\"([^\"]+)\"");

    /** @param missing operations on resources */
    MissingRights(Cluster cluster, List<String> missing) {
        super("The Kafka user%s%s lacks rights: %s. docs/reference/kafka-acls.md lists what each role needs."
                .formatted(
                        user(cluster),
                        cluster.role().isEmpty() ? "" : " of the role " + cluster.role(),
                        String.join("; ", missing)));
    }

    /** The password's neighbour: only a user's name is ever shown. */
    private static String user(Cluster cluster) {
        Matcher login = USER.matcher(String.valueOf(cluster.kafka().get(SaslConfigs.SASL_JAAS_CONFIG)));
        return login.find() ? " " + login.group(1) : "";
    }
}
