package io.floodgate.webhook;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** Finds the addresses of a host by its name. */
@FunctionalInterface
public interface HostResolver {
    InetAddress[] resolve(String host) throws UnknownHostException;

    static HostResolver system() {
        return InetAddress::getAllByName;
    }
}
