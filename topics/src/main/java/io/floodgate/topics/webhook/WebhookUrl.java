package io.floodgate.topics.webhook;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a webhook's URL. It is read once, here: callers connect to these parts, so that two readers cannot take one
 * text for two hosts. Spellings that other software may read in another way are rejected, not corrected.
 *
 * @param secure whether it is https
 * @param host a name in lower case, or an address; one of IPv6 without its brackets
 * @param literal the host if it is an address
 * @param path with the query; at least a slash
 */
public record WebhookUrl(
        boolean secure, String host, @Nullable InetAddress literal, int port, String path) {
    private static final int MAX_LENGTH = 2_048;
    private static final int MAX_PORT = 65_535;
    private static final Pattern NAME =
            Pattern.compile("(?=.{1,253}$)[a-z0-9_-]{1,63}(?:\\.[a-z0-9_-]{1,63})*", Pattern.CASE_INSENSITIVE);

    /** Names that are read as numbers, thus as addresses, by what is descended from {@code inet_aton}. */
    private static final Pattern NUMBER =
            Pattern.compile("(?:.*\\.)?(?:[0-9]+|0x[0-9a-f]*)\\.?", Pattern.CASE_INSENSITIVE);

    /** @throws IllegalArgumentException with a sentence about what is wrong */
    public static WebhookUrl parse(String text) {
        if (text.length() > MAX_LENGTH)
            throw fault("the URL has " + text.length() + " characters, more than " + MAX_LENGTH);
        for (int i = 0; i < text.length(); i++)
            if (text.charAt(i) <= ' ' || text.charAt(i) >= 0x7f || text.charAt(i) == '\\')
                throw fault("the URL may have ASCII characters only, without spaces and backslashes:"
                        + " write names of hosts in Punycode, and others percent-encoded");
        URI uri = syntax(text);
        String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
        if (!scheme.equals("https") && !scheme.equals("http")) throw fault("the URL must begin with https://");
        String authority = uri.getRawAuthority();
        if (authority == null) throw fault("the URL has no host");
        if (authority.indexOf('@') >= 0) throw fault("the URL may have no user and no password");
        if (text.indexOf('#') >= 0) throw fault("the URL may have no fragment");
        boolean isBracketed = authority.startsWith("[");
        int end = isBracketed ? authority.indexOf(']') + 1 : authority.indexOf(':');
        String host = (end < 0 ? authority : authority.substring(0, end)).toLowerCase(Locale.ROOT);
        boolean secure = scheme.equals("https");
        int port = port(end < 0 ? "" : authority.substring(end), secure ? 443 : 80);
        String query = uri.getRawQuery() == null ? "" : '?' + uri.getRawQuery();
        String path = (uri.getRawPath().isEmpty() ? "/" : uri.getRawPath()) + query;
        if (isBracketed) {
            String inner = host.substring(1, end - 1);
            return new WebhookUrl(secure, inner, v6(inner), port, path);
        }
        return new WebhookUrl(secure, host, v4(host), port, path);
    }

    private static URI syntax(String text) {
        try {
            return new URI(text);
        } catch (URISyntaxException e) {
            throw fault("the URL is not valid: " + e.getReason());
        }
    }

    private static InetAddress v6(String text) {
        if (text.indexOf('%') >= 0) throw fault("the address in the URL may have no zone");
        InetAddress address = IpLiterals.v6(text);
        if (address == null) throw fault("the URL has brackets without an IPv6 address");
        if (address instanceof Inet4Address) throw oddAddress();
        return address;
    }

    private static @Nullable InetAddress v4(String host) {
        if (host.isEmpty()) throw fault("the URL has no host");
        InetAddress address = IpLiterals.v4(host);
        if (address != null) return address;
        if (NUMBER.matcher(host).matches()) throw oddAddress();
        if (host.endsWith(".")) throw fault("the host of the URL may not end with a dot");
        if (!NAME.matcher(host).matches())
            throw fault("the host of the URL is not a name: write letters, digits, hyphens and dots");
        return null;
    }

    private static int port(String text, int otherwise) {
        if (text.isEmpty()) return otherwise;
        if (text.matches(":[0-9]{1,5}")) {
            int port = Integer.parseInt(text.substring(1));
            if (port > 0 && port <= MAX_PORT) return port;
        }
        throw fault("the port of the URL must be a number from 1 to " + MAX_PORT);
    }

    private static IllegalArgumentException oddAddress() {
        return fault("the host of the URL is a number: write an IPv4 address as four decimal numbers, as in 192.0.2.1");
    }

    private static IllegalArgumentException fault(String sentence) {
        return new IllegalArgumentException(sentence);
    }
}
