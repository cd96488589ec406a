package io.floodgate.standalone.broker;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.utils.Time;

/**
 * One of several brokers that are a cluster: broker and controller in one process, with the settings of Kafka, replication
 * 3 and at least two replicas in sync. For trials of what becomes of an installation when one of them is gone.
 */
public final class ClusterBroker {
    private ClusterBroker() {}

    /**
     * Serves until the process ends; SIGTERM hands over what it leads first.
     *
     * @param number of this broker, from 1
     * @param controllers host and port of all controllers, in the order of their numbers
     * @param settings of Kafka, each {@code name=value}
     */
    public static void run(
            Path data, int number, int port, List<String> controllers, String cluster, List<String> settings) {
        try (Storage storage = Storage.open(data, number, cluster)) {
            BrokerConfig config = new BrokerConfig(
                    data, port, Optional.of(host(controllers, number)), properties(number, port, controllers));
            Endpoints endpoints = new Endpoints(config.host(), port, port(controllers, number));
            Map<String, String> properties = new HashMap<>(BrokerProperties.of(config, endpoints));
            // Without it, a controller that is cut off looks like one that has nothing to say.
            properties.remove("metadata.max.idle.interval.ms");
            properties.remove("group.initial.rebalance.delay.ms");
            properties.remove("group.min.session.timeout.ms");
            for (String setting : settings) {
                int end = setting.indexOf('=');
                properties.put(setting.substring(0, end), setting.substring(end + 1));
            }
            KafkaRaftServer server = new KafkaRaftServer(new KafkaConfig(properties, false), Time.SYSTEM);
            Runtime.getRuntime().addShutdownHook(new Thread(server::shutdown, "stop"));
            server.startup();
            server.awaitShutdown();
        }
    }

    private static Map<String, String> properties(int number, int port, List<String> controllers) {
        String replicas = Integer.toString(Math.min(3, controllers.size()));
        String inSync = Integer.toString(Math.min(2, controllers.size()));
        Map<String, String> properties = new HashMap<>();
        properties.put("node.id", Integer.toString(number));
        properties.put(
                "listeners",
                "PLAINTEXT://%s:%d,%s://%s"
                        .formatted(
                                host(controllers, number),
                                port,
                                BrokerProperties.CONTROLLER_LISTENER,
                                controllers.get(number - 1)));
        properties.put(
                "controller.quorum.voters",
                IntStream.rangeClosed(1, controllers.size())
                        .mapToObj(i -> i + "@" + controllers.get(i - 1))
                        .collect(Collectors.joining(",")));
        properties.put("default.replication.factor", replicas);
        properties.put("min.insync.replicas", inSync);
        properties.put("offsets.topic.replication.factor", replicas);
        properties.put("transaction.state.log.replication.factor", replicas);
        properties.put("transaction.state.log.min.isr", inSync);
        // Brokers wait this long, not 30 s, for one that hangs: a transaction ends only when all have confirmed it.
        properties.put("request.timeout.ms", "3000");
        properties.put("share.coordinator.state.topic.replication.factor", replicas);
        properties.put("share.coordinator.state.topic.min.isr", inSync);
        return properties;
    }

    private static String host(List<String> controllers, int number) {
        String address = controllers.get(number - 1);
        return address.substring(0, address.lastIndexOf(':'));
    }

    private static int port(List<String> controllers, int number) {
        String address = controllers.get(number - 1);
        return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    }
}
