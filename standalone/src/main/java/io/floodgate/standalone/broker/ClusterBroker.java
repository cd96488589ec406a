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
     * @param controllerPorts of all brokers, in the order of their numbers
     */
    public static void run(Path data, int number, int port, List<Integer> controllerPorts, String cluster) {
        try (Storage storage = Storage.open(data, number, cluster)) {
            BrokerConfig config =
                    new BrokerConfig(data, port, Optional.empty(), properties(number, port, controllerPorts));
            Endpoints endpoints = new Endpoints(config.host(), port, controllerPorts.get(number - 1));
            Map<String, String> properties = new HashMap<>(BrokerProperties.of(config, endpoints));
            // Without it, a controller that is cut off looks like one that has nothing to say.
            properties.remove("metadata.max.idle.interval.ms");
            properties.remove("group.initial.rebalance.delay.ms");
            properties.remove("group.min.session.timeout.ms");
            KafkaRaftServer server = new KafkaRaftServer(new KafkaConfig(properties, false), Time.SYSTEM);
            Runtime.getRuntime().addShutdownHook(new Thread(server::shutdown, "stop"));
            server.startup();
            server.awaitShutdown();
        }
    }

    private static Map<String, String> properties(int number, int port, List<Integer> controllerPorts) {
        String replicas = Integer.toString(Math.min(3, controllerPorts.size()));
        String inSync = Integer.toString(Math.min(2, controllerPorts.size()));
        Map<String, String> properties = new HashMap<>();
        properties.put("node.id", Integer.toString(number));
        properties.put(
                "listeners",
                "%s,%s".formatted(listener("PLAINTEXT", port), controller(controllerPorts.get(number - 1))));
        properties.put(
                "controller.quorum.voters",
                IntStream.rangeClosed(1, controllerPorts.size())
                        .mapToObj(i -> "%d@%s:%d".formatted(i, Endpoints.LOOPBACK, controllerPorts.get(i - 1)))
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

    private static String controller(int port) {
        return listener(BrokerProperties.CONTROLLER_LISTENER, port);
    }

    private static String listener(String name, int port) {
        return "%s://%s:%d".formatted(name, Endpoints.LOOPBACK, port);
    }
}
