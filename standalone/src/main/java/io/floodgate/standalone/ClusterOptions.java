package io.floodgate.standalone;

import io.floodgate.standalone.settings.SettingSource;
import java.util.Map;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The Kafka cluster that a role works with. */
final class ClusterOptions {
    @Option(names = "--bootstrap", paramLabel = "HOST:PORT,...", required = true, description = "The Kafka cluster.")
    String bootstrap = "";

    @Mixin
    KafkaOptions kafka = new KafkaOptions();

    Map<String, Object> clients(SettingSource settings) {
        return kafka.clients(bootstrap, settings);
    }
}
