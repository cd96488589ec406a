package io.floodgate.worker;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** The host of this process. */
final class Host {
    static final String NAME = name();

    private Host() {}

    private static String name() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }
}
