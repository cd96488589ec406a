package io.floodgate.gateway.connection;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;

/** Distinguishes callers that have not authenticated yet. */
public final class PeerAddress {
    private static final int IPV6_PREFIX_BYTES = 8;

    private PeerAddress() {}

    /** The address without its port; of IPv6 the network, because one caller has all addresses of it. */
    public static String of(SocketAddress from) {
        InetAddress address = from instanceof InetSocketAddress inet ? inet.getAddress() : null;
        if (address == null) return "unknown";
        byte[] bytes = address.getAddress();
        if (bytes.length == 4) return address.getHostAddress();
        StringBuilder name = new StringBuilder();
        for (int i = 0; i < IPV6_PREFIX_BYTES; i += 2)
            name.append(Integer.toHexString(((bytes[i] & 0xFF) << 8) | (bytes[i + 1] & 0xFF)))
                    .append(':');
        return name.append(":/64").toString();
    }
}
