package io.floodgate.verification.process;

import io.floodgate.standalone.broker.ClusterBroker;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.common.Uuid;

/** The process of one of several brokers that are a cluster, with replication 3 and min.insync.replicas 2. */
final class ClusterMember {
    private static final String HEAP = "400m";

    /** The environment variable with the directory of the jars of the Kafka that the brokers run. */
    private static final String BROKER_LIBS = "FLOODGATE_BROKER_LIBS";

    private ClusterMember() {}

    static String name(int number) {
        return "broker-" + number;
    }

    /** @param ports of the brokers, for clients */
    static List<Child> all(Path directory, List<Integer> ports, Hosts hosts) throws IOException {
        String cluster = Uuid.randomUuid().toString();
        String controllers = IntStream.rangeClosed(1, ports.size())
                .mapToObj(number -> hosts.address(name(number)) + ":" + Ports.free())
                .collect(Collectors.joining(","));
        String libs = System.getenv(BROKER_LIBS);
        List<Child> brokers = new ArrayList<>();
        for (int number = 1; number <= ports.size(); number++) {
            String name = name(number);
            Child broker = new Child(
                    name,
                    List.of(
                            directory.resolve(name + "-data").toString(),
                            Integer.toString(number),
                            Integer.toString(ports.get(number - 1)),
                            controllers,
                            cluster),
                    directory,
                    HEAP);
            broker.run(ClusterMember.class);
            if (libs != null) broker.useKafka(Path.of(libs));
            broker.wrapIn(hosts.wrapper(name));
            brokers.add(broker);
        }
        return brokers;
    }

    /** @param arguments directory, number, port, addresses of all controllers, id of the cluster, and settings of Kafka */
    public static void main(String... arguments) {
        ChildMain.endWithParent();
        ClusterBroker.run(
                Path.of(arguments[0]),
                Integer.parseInt(arguments[1]),
                Integer.parseInt(arguments[2]),
                List.of(arguments[3].split(",", -1)),
                arguments[4],
                List.of(arguments).subList(5, arguments.length));
    }
}
