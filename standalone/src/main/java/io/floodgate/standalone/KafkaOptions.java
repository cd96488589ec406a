package io.floodgate.standalone;

import io.floodgate.standalone.settings.SettingSource;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Option;

/** What every Kafka client in this process is told, beside where the cluster is. */
final class KafkaOptions {
    @Option(
            names = "--kafka",
            paramLabel = "PROPERTY=VALUE",
            description = "A Kafka client property, such as security.protocol=SSL. In a file: kafka.PROPERTY=VALUE")
    Map<String, String> properties = new LinkedHashMap<>();

    Map<String, String> clients(SettingSource settings) {
        var clients = new LinkedHashMap<>(settings.startingWith("kafka"));
        clients.putAll(properties);
        return clients;
    }
}
