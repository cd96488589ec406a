package io.floodgate.standalone;

import io.floodgate.standalone.metrics.ProcessMetrics;
import io.floodgate.standalone.settings.SettingSource;
import io.floodgate.topics.Namespace;
import io.floodgate.topics.client.ClientConfig;
import io.floodgate.topics.client.Cluster;
import io.floodgate.topics.client.Provisioner;
import io.floodgate.topics.client.Rights.Role;
import io.floodgate.worker.Worker;
import io.floodgate.worker.WorkerBuilder;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The Kafka cluster that a role works with. */
final class ClusterOptions {
    @Option(
            names = "--bootstrap",
            paramLabel = "HOST:PORT,...",
            required = true,
            description = "Addresses of the Kafka cluster.")
    String bootstrap = "";

    @Option(
            names = "--namespace",
            paramLabel = "NAME",
            description = "Prefix of all topics, groups, transactional ids and client ids of this installation"
                    + " (NAME.ojs.commands), so that several can share a cluster. Default: none.")
    String namespace = "";

    @Mixin
    KafkaOptions kafka = new KafkaOptions();

    /** Time without an answer from a broker after which a log line says so. */
    Duration notice = Duration.ofSeconds(3);

    /** Time without an answer from a broker after which the role ends. */
    Duration patience = Duration.ofSeconds(20);

    /**
     * Returns the cluster for this role, once a broker has answered and confirmed the rights that the role needs.
     *
     * @param queueTopics whether it uses topics of queues
     */
    Cluster reach(SettingSource settings, Role role, String node, boolean queueTopics) {
        var cluster = new Cluster(clients(settings), namespace(), role.title(), node);
        try (var provisioner = new Provisioner(cluster)) {
            provisioner.reach(notice, patience);
            provisioner.checkRights(role, queueTopics);
        }
        return cluster;
    }

    private Map<String, Object> clients(SettingSource settings) {
        Map<String, Object> clients = new LinkedHashMap<>(kafka.clients(settings));
        clients.put("bootstrap.servers", bootstrap);
        return clients;
    }

    private Namespace namespace() {
        try {
            return new Namespace(namespace);
        } catch (IllegalArgumentException e) {
            throw new CommandErrors.Rejection("--namespace: " + e.getMessage());
        }
    }

    /** Returns the settings of a client for a role that finds the topics there. */
    ClientConfig client(SettingSource settings, Role role, String node, boolean queueTopics) {
        var cluster = reach(settings, role, node, queueTopics);
        try (var provisioner = new Provisioner(cluster)) {
            return new ClientConfig(cluster, provisioner.existingRouting(), ClientConfig.DEFAULT_MAX_IN_FLIGHT);
        }
    }

    /** A worker there, which is not connected yet, with clients whose metrics are shown. */
    WorkerBuilder worker(SettingSource settings, ProcessMetrics metrics) {
        return Worker.kafka(metrics.of(clients(settings)), namespace().name()).connectWithin(patience);
    }
}
