package io.floodgate.topics.webhook;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Where webhooks may go: to public addresses, and to those that the operator has allowed. The URL of a webhook comes from a
 * client of the API, who must not reach by it what only the server can reach.
 *
 * @param http whether plain http is allowed
 * @param allowed addresses that may be called although they are not public
 */
public record WebhookTargets(boolean http, List<AddressBlock> allowed) {
    public static final WebhookTargets PUBLIC = new WebhookTargets(false, List.of());

    /** Not public, by the registry of special addresses of IANA, and the host's services of a cloud. */
    private static final List<AddressBlock> SPECIAL_V4 = blocks(
            "0.0.0.0/8",
            "10.0.0.0/8",
            "100.64.0.0/10",
            "127.0.0.0/8",
            "168.63.129.16/32", // Azure
            "169.254.0.0/16",
            "172.16.0.0/12",
            "192.0.0.0/24",
            "192.0.2.0/24",
            "192.88.99.0/24",
            "192.168.0.0/16",
            "198.18.0.0/15",
            "198.51.100.0/24",
            "203.0.113.0/24",
            "224.0.0.0/4",
            "240.0.0.0/4");

    /** All other addresses of IPv6 than these are local, reserved, or forms of an IPv4 address. */
    private static final AddressBlock GLOBAL_V6 = AddressBlock.parse("2000::/3");

    /** 6to4 and Teredo (in 2001::/23) among them, which lead to an IPv4 address, and examples. */
    private static final List<AddressBlock> SPECIAL_V6 =
            blocks("2001::/23", "2001:db8::/32", "2002::/16", "3ffe::/16", "3fff::/20");

    /** In networks of IPv6 only, DNS answers with the IPv4 address in the last four bytes of this block. */
    private static final AddressBlock NAT64 = AddressBlock.parse("64:ff9b::/96");

    private static final InetAddress LOOPBACK_V4 =
            AddressBlock.parse("127.0.0.1/32").first();
    private static final InetAddress LOOPBACK_V6 = AddressBlock.parse("::1/128").first();

    public WebhookTargets {
        allowed = List.copyOf(allowed);
    }

    private static List<AddressBlock> blocks(String... texts) {
        return Stream.of(texts).map(AddressBlock::parse).toList();
    }

    /** Returns why this cannot be the URL of a webhook, by its text: what its name stands for is known at the call. */
    public Optional<String> fault(String url) {
        try {
            return fault(WebhookUrl.parse(url));
        } catch (IllegalArgumentException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    public Optional<String> fault(WebhookUrl url) {
        if (!url.secure() && !http) return Optional.of("the URL must begin with https://");
        InetAddress literal = url.literal();
        if (literal != null && !mayCall(literal))
            return Optional.of("the address " + url.host() + " may not be called: it is not public");
        boolean isLocal = url.host().equals("localhost") || url.host().endsWith(".localhost");
        if (isLocal && !mayCall(LOOPBACK_V4) && !mayCall(LOOPBACK_V6))
            return Optional.of("the host " + url.host() + " may not be called: it is not public");
        return Optional.empty();
    }

    public boolean mayCall(InetAddress address) {
        return allowed.stream().anyMatch(block -> block.contains(address)) || isPublic(address);
    }

    private static boolean isPublic(InetAddress address) {
        if (address instanceof Inet4Address) return !isIn(SPECIAL_V4, address);
        if (NAT64.contains(address)) return !isIn(SPECIAL_V4, lastFourBytes(address));
        return GLOBAL_V6.contains(address) && !isIn(SPECIAL_V6, address);
    }

    private static boolean isIn(List<AddressBlock> blocks, InetAddress address) {
        return blocks.stream().anyMatch(block -> block.contains(address));
    }

    private static InetAddress lastFourBytes(InetAddress address) {
        try {
            return InetAddress.getByAddress(Arrays.copyOfRange(address.getAddress(), 12, 16));
        } catch (UnknownHostException e) {
            throw new AssertionError("four bytes are an address", e);
        }
    }
}
