package io.floodgate.verification.process;

import io.floodgate.standalone.broker.JoiningBroker;
import java.nio.file.Path;
import java.util.List;

/** A broker that joins the one of an installation, so that a partition can be led by a broker that is gone. */
public final class SecondBroker {
    public static final int NODE_ID = JoiningBroker.NODE_ID;

    private SecondBroker() {}

    /** The only broker of an installation that has not started: others find its controller, also after it was started again. */
    public static void prepare(Installation first, int controllerPort) {
        int port = Integer.parseInt(first.bootstrap().replaceFirst(".*:", ""));
        JoiningBroker.propertiesOfTheFirst(port, controllerPort).forEach((name, value) -> {
            first.all(Role.BROKER).getFirst().add("--embedded");
            first.all(Role.BROKER).getFirst().add(name + "=" + value);
        });
    }

    public static Child in(Path directory, int controllerPort, String clusterId) {
        Path data = directory.resolve("second-broker-data");
        Child child = new Child(
                "second-broker",
                List.of(data.toString(), Integer.toString(Ports.free()), Integer.toString(controllerPort), clusterId),
                directory,
                Child.SMALL_HEAP);
        child.run(SecondBroker.class);
        return child;
    }

    /** @param arguments directory, port, port of the controller, and id of the cluster */
    public static void main(String... arguments) {
        ChildMain.endWithParent();
        JoiningBroker.run(
                Path.of(arguments[0]), Integer.parseInt(arguments[1]), Integer.parseInt(arguments[2]), arguments[3]);
    }
}
