package io.floodgate.standalone.broker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** The two addresses of the broker: one for clients, one over which it talks to its own controller. */
record Endpoints(String host, int clientPort, int controllerPort) {
    static final String LOOPBACK = "127.0.0.1";

    static Endpoints of(BrokerConfig config) {
        try (var controller = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                var client = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            // Both are held open until both are known, so that they differ.
            int clientPort = config.port() == 0 ? client.getLocalPort() : config.port();
            return new Endpoints(config.host(), clientPort, controller.getLocalPort());
        } catch (IOException e) {
            throw new UncheckedIOException("no free port for the embedded broker", e);
        }
    }

    String bootstrap() {
        return host + ":" + clientPort;
    }
}
