package io.floodgate.topics.webhook;

import java.net.Inet4Address;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/** All addresses that begin with the same bits as this one; written {@code 10.0.0.0/8} or {@code fd00::/8}. */
public record AddressBlock(InetAddress first, int bits) {
    /** @throws IllegalArgumentException saying what is wrong with the text */
    public static AddressBlock parse(String text) {
        int slash = text.indexOf('/');
        InetAddress first = slash < 0 ? null : address(text.substring(0, slash));
        if (first == null)
            throw new IllegalArgumentException(
                    "'" + text + "' is not a block of addresses: write it as 10.0.0.0/8, fd00::/8 or 127.0.0.1/32");
        int max = first.getAddress().length * 8;
        String length = text.substring(slash + 1);
        if (!length.matches("0|[1-9][0-9]{0,2}") || Integer.parseInt(length) > max)
            throw new IllegalArgumentException(
                    "the number after the slash of '" + text + "' must be between 0 and " + max);
        AddressBlock block = new AddressBlock(first, Integer.parseInt(length));
        if (!block.startsHere())
            throw new IllegalArgumentException("'" + text + "' is not the first address of its block: after " + length
                    + " bits, an address must be zero");
        return block;
    }

    private static @Nullable InetAddress address(String text) {
        InetAddress v4 = IpLiterals.v4(text);
        if (v4 != null) return v4;
        InetAddress v6 = IpLiterals.v6(text);
        return v6 instanceof Inet4Address ? null : v6;
    }

    private boolean startsHere() {
        byte[] address = first.getAddress();
        for (int bit = bits; bit < address.length * 8; bit++) if (isSet(address, bit)) return false;
        return true;
    }

    public boolean contains(InetAddress other) {
        byte[] mine = first.getAddress();
        byte[] theirs = other.getAddress();
        if (mine.length != theirs.length) return false;
        for (int bit = 0; bit < bits; bit++) if (isSet(mine, bit) != isSet(theirs, bit)) return false;
        return true;
    }

    private static boolean isSet(byte[] address, int bit) {
        return (address[bit >> 3] >> (7 - (bit & 7)) & 1) == 1;
    }

    @Override
    public String toString() {
        return first.getHostAddress() + '/' + bits;
    }
}
