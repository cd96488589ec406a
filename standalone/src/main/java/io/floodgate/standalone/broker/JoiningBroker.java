package io.floodgate.standalone.broker;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.utils.Time;

/**
 * A second broker in a cluster whose first one, an {@link EmbeddedBroker}, is its controller: for trials of what becomes of
 * a partition whose leader is gone while all others are well.
 */
public final class JoiningBroker {
    public static final int NODE_ID = 2;

    private JoiningBroker() {}

    /**
     * Returns the properties with which the first broker is found at this port of its controller, also after another
     * start.
     */
    public static Map<String, String> propertiesOfTheFirst(int port, int controllerPort) {
        return Map.of(
                "listeners",
                "%s,%s://%s:%d"
                        .formatted(
                                listener(port),
                                BrokerProperties.CONTROLLER_LISTENER,
                                Endpoints.LOOPBACK,
                                controllerPort),
                "controller.quorum.voters",
                "%d@%s:%d".formatted(BrokerProperties.NODE_ID, Endpoints.LOOPBACK, controllerPort));
    }

    /** Serves until the process ends. */
    public static void run(Path data, int port, int controllerPort, String cluster) {
        try (Storage storage = Storage.open(data, NODE_ID, cluster)) {
            BrokerConfig config = new BrokerConfig(
                    data,
                    port,
                    Optional.empty(),
                    Map.of(
                            "process.roles", "broker",
                            "node.id", Integer.toString(NODE_ID),
                            "listeners", listener(port)));
            Endpoints endpoints = new Endpoints(config.host(), port, controllerPort);
            KafkaRaftServer server =
                    new KafkaRaftServer(new KafkaConfig(BrokerProperties.of(config, endpoints), false), Time.SYSTEM);
            server.startup();
            server.awaitShutdown();
        }
    }

    private static String listener(int port) {
        return "PLAINTEXT://%s:%d".formatted(Endpoints.LOOPBACK, port);
    }
}
