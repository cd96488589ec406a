package io.floodgate.topics.webhook;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads IP addresses, without DNS. Of IPv4 only the plain spelling: four decimal numbers without leading zeros. */
final class IpLiterals {
    private static final String BYTE = "(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])";
    private static final Pattern V4 = Pattern.compile("(?:" + BYTE + "\\.){3}" + BYTE);
    private static final Pattern V6 = Pattern.compile("[0-9a-fA-F.]*:[0-9a-fA-F:.]*");

    private IpLiterals() {}

    /** Returns null if this is no IPv4 address in its plain spelling. */
    static @Nullable InetAddress v4(String text) {
        return V4.matcher(text).matches() ? parsed(text) : null;
    }

    /** An address of IPv4 in the form of IPv6 comes back as one of IPv4. Returns null if this is no IPv6 address. */
    static @Nullable InetAddress v6(String text) {
        // In brackets, the JDK takes it for an address or fails: it asks no DNS.
        return V6.matcher(text).matches() ? parsed('[' + text + ']') : null;
    }

    private static @Nullable InetAddress parsed(String literal) {
        try {
            return InetAddress.getByName(literal);
        } catch (UnknownHostException e) {
            return null;
        }
    }
}
