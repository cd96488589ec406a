package io.floodgate.standalone;

import java.net.InetAddress;
import java.net.UnknownHostException;
import picocli.CommandLine.Option;

/** The name of a process among others of its role. */
final class NodeOptions {
    @Option(
            names = "--node",
            paramLabel = "NAME",
            description = "Name of this process in the ids of its Kafka clients, floodgate-ROLE-NAME-PURPOSE."
                    + " Default: the host name; a processor's name is in its data directory.")
    String node = "";

    /** The given name, or else the host's. */
    String name() {
        return node.isEmpty() ? host() : given();
    }

    /** Empty without one. */
    String given() {
        if (!node.matches("[A-Za-z0-9._-]*"))
            throw new CommandErrors.Rejection(
                    "--node may have letters, digits, dots, hyphens and underscores: " + node);
        return node;
    }

    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName().replaceAll("[^A-Za-z0-9._-]", "-");
        } catch (UnknownHostException e) {
            return "unknown";
        }
    }
}
