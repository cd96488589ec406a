package io.floodgate.gateway.http;

import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Rejection;
import io.helidon.http.HeaderNames;
import io.helidon.http.ServerRequestHeaders;
import java.util.Collection;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/**
 * The names under which this server is reached. A page on the web may have its own name resolved to this machine's
 * address (DNS rebinding), and would then be of the same origin as this API; but it cannot choose what the browser
 * sends as Host. Addresses are no names, so they cannot be rebound. On a network of containers, whose names have no
 * dot, those count too.
 */
public final class HostCheck {
    /** Accepts any name, for servers that are reached through a proxy which checks. */
    public static final String ANY = "*";

    private final boolean any;
    private final boolean plainNames;
    private final Set<String> names = new HashSet<>();

    /**
     * @param listening the address this server listens on
     * @param allowed further names, without ports
     */
    public HostCheck(String listening, Collection<String> allowed) {
        any = allowed.contains(ANY);
        names.add("localhost");
        for (String name : allowed) names.add(name.toLowerCase(Locale.ROOT));
        names.add(listening.toLowerCase(Locale.ROOT));
        plainNames = !isLoopback(listening);
    }

    private static boolean isLoopback(String address) {
        return address.startsWith("127.") || address.equals("localhost") || address.equals("::1");
    }

    void check(ServerRequestHeaders headers) throws RejectedException {
        if (!headers.contains(HeaderNames.HOST)) return;
        String host = headers.get(HeaderNames.HOST).get();
        if (allows(host)) return;
        throw new RejectedException(Rejection.of(
                        ErrorCode.PERMISSION_DENIED,
                        "This server does not go by the name in the Host header. If it should, allow the name with"
                                + " --allowed-hosts.")
                .with("header", "Host"));
    }

    boolean allows(String host) {
        String name = withoutPort(host).toLowerCase(Locale.ROOT);
        return any
                || name.isEmpty()
                || names.contains(name)
                || name.endsWith(".localhost")
                || isAddress(name)
                || (plainNames && name.indexOf('.') < 0);
    }

    static String withoutPort(String host) {
        int colon = host.lastIndexOf(':');
        return colon < 0 || host.endsWith("]") ? host : host.substring(0, colon);
    }

    private static boolean isAddress(String name) {
        if (name.startsWith("[")) return name.endsWith("]");
        for (int i = 0; i < name.length(); i++)
            if (name.charAt(i) != '.' && !Character.isDigit(name.charAt(i))) return false;
        return true;
    }
}
