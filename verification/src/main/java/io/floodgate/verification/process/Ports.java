package io.floodgate.verification.process;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/** Ports that stay free while their owner is dead: outside of the range that the system deals out to connections. */
public final class Ports {
    private static final int FIRST = 20_000;
    private static final int LAST = 32_000;
    private static final Set<Integer> GIVEN = new HashSet<>();

    private Ports() {}

    public static synchronized int free() {
        for (int attempt = 0; attempt < 1_000; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, LAST);
            if (!GIVEN.contains(port) && isFree(port)) {
                GIVEN.add(port);
                return port;
            }
        }
        throw new IllegalStateException("no free port from %d to %d".formatted(FIRST, LAST));
    }

    /** @param address host and port */
    public static boolean listens(String address) {
        int colon = address.lastIndexOf(':');
        try (Socket probe = new Socket(address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)))) {
            return probe.isConnected();
        } catch (IOException rejected) {
            return false;
        }
    }

    private static boolean isFree(int port) {
        try (ServerSocket probe = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return probe.isBound();
        } catch (IOException taken) {
            return false;
        }
    }
}
