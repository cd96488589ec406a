package io.floodgate.standalone;

import io.floodgate.standalone.settings.SettingSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Option;

/** What every Kafka client in this process is told, beside where the cluster is. */
final class KafkaOptions {
    /** Every client of ours has its own value for these, on which it depends that nothing is lost or done twice. */
    private static final Set<String> OURS = Set.of(
            "bootstrap.servers",
            "acks",
            "enable.idempotence",
            "transactional.id",
            "transaction.timeout.ms",
            "isolation.level",
            "enable.auto.commit",
            "auto.offset.reset",
            "group.id",
            "group.instance.id",
            "group.protocol",
            "max.request.size",
            "key.serializer",
            "value.serializer",
            "key.deserializer",
            "value.deserializer",
            "application.id",
            "processing.guarantee",
            "state.dir",
            "num.stream.threads",
            "num.standby.replicas",
            "replication.factor",
            "commit.interval.ms");

    @Option(
            names = "--kafka",
            paramLabel = "PROPERTY=VALUE",
            description = "A Kafka client property, such as security.protocol=SSL. In a file: kafka.PROPERTY=VALUE")
    Map<String, String> properties = new LinkedHashMap<>();

    Map<String, String> clients(SettingSource settings) {
        var clients = new LinkedHashMap<>(settings.startingWith("kafka"));
        clients.putAll(properties);
        List<String> refused = clients.keySet().stream().filter(OURS::contains).toList();
        if (!refused.isEmpty()) {
            throw new Failures.Refusal("the Kafka property %s is not yours to set: Floodgate depends on its own value%s"
                    .formatted(
                            String.join(", ", refused),
                            refused.contains("bootstrap.servers") ? "; the brokers are named by --bootstrap" : ""));
        }
        return clients;
    }
}
