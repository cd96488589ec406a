package io.floodgate.standalone;

import io.floodgate.standalone.settings.SettingSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import picocli.CommandLine.Option;

/** The settings of every Kafka client in this process, beside the address of the cluster. */
final class KafkaOptions {
    /**
     * Every client of ours has its own value for these, on which it depends that nothing is lost or done twice, or how fast it
     * is: another one would be taken without a word and change nothing.
     */
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
            "commit.interval.ms",
            "client.id",
            "session.timeout.ms",
            "heartbeat.interval.ms",
            "partition.assignment.strategy",
            "max.poll.records",
            "linger.ms",
            "batch.size",
            "buffer.memory",
            "max.block.ms",
            "delivery.timeout.ms",
            "enable.metrics.push",
            "poll.ms",
            "acceptable.recovery.lag",
            "default.timestamp.extractor",
            "metrics.recording.level");

    /** Prefix of properties of Kafka Streams for one kind of its clients. */
    private static final Pattern KIND =
            Pattern.compile("^((main|restore|global)\\.consumer|consumer|producer|admin)\\.");

    @Option(
            names = "--kafka",
            paramLabel = "PROPERTY=VALUE",
            description = "A Kafka client property, such as security.protocol=SSL. In a file: kafka.PROPERTY=VALUE")
    Map<String, String> properties = new LinkedHashMap<>();

    Map<String, String> clients(SettingSource settings) {
        var clients = new LinkedHashMap<>(settings.startingWith("kafka"));
        clients.putAll(properties);
        List<String> rejected = clients.keySet().stream()
                .filter(name -> OURS.contains(KIND.matcher(name).replaceFirst("")))
                .toList();
        if (!rejected.isEmpty()) {
            throw new CommandErrors.Rejection(
                    "the Kafka property %s is not yours to set: Floodgate depends on its own value%s"
                            .formatted(String.join(", ", rejected), instead(rejected)));
        }
        return clients;
    }

    private static String instead(List<String> rejected) {
        if (rejected.contains("bootstrap.servers")) return "; the brokers are named by --bootstrap";
        return rejected.contains("client.id") ? "; --node gives clients a name" : "";
    }
}
