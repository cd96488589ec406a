package io.floodgate.standalone;

import io.floodgate.standalone.settings.SettingSource;
import io.floodgate.topics.client.BrokerTimeouts;
import io.floodgate.topics.client.ClientConfig;
import io.floodgate.topics.client.Provisioner;
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
        Map<String, Object> clients = BrokerTimeouts.in(kafka.clients(settings));
        clients.put("bootstrap.servers", bootstrap);
        return clients;
    }

    /** For a role that finds the topics there. */
    ClientConfig client(SettingSource settings) {
        var clients = clients(settings);
        try (var provisioner = new Provisioner(clients)) {
            var routing = provisioner
                    .routing()
                    .orElseThrow(() -> new Failures.Refusal(
                            "the cluster at %s has no topics of Floodgate yet; start a processor, or: floodgate provision"
                                    .formatted(bootstrap)));
            return new ClientConfig(clients, routing, ClientConfig.DEFAULT_MAX_IN_FLIGHT);
        }
    }
}
