package io.floodgate.standalone;

import java.io.IOException;
import java.net.ServerSocket;

/** Where servers of tests listen, if they have to be told before they start. */
final class Ports {
    private Ports() {}

    static int free() throws IOException {
        try (ServerSocket free = new ServerSocket(0)) {
            return free.getLocalPort();
        }
    }
}
