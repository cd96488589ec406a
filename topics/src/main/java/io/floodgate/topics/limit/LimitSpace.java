package io.floodgate.topics.limit;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Whose a rate limit's key is. Clients that may not use all queues, or that act for one tenant, share keys only with clients that
 * have the same queues and the same tenant: the key {@code stripe-api} of a client for the queues {@code billing.*} is
 * {@code stripe-api@billing.*}. Keys of all others stand alone, without a space.
 */
public final class LimitSpace {
    static final char MARK = '@';
    static final int CHARS = 100;

    private static final int SHOWN_CHARS = 80;
    private static final int HASH_BYTES = 8;

    private LimitSpace() {}

    /**
     * The space of a key that a client names.
     *
     * @param queues patterns of the queues that the client may use; null for all
     * @param tenant that it acts for; null for all
     * @return null for a key that stands alone
     */
    public static @Nullable String of(@Nullable List<String> queues, @Nullable String tenant) {
        if (queues == null && tenant == null) return null;
        StringBuilder space = new StringBuilder();
        if (tenant != null) space.append("tenant:").append(tenant);
        if (queues != null) space.append(tenant == null ? "" : ",").append(String.join(",", new TreeSet<>(queues)));
        return shortened(space.toString());
    }

    /** The space that a key stands in; null if it stands alone. */
    public static @Nullable String ofName(String name) {
        int mark = name.indexOf(MARK);
        return mark < 0 ? null : name.substring(mark + 1);
    }

    /** Long ones end in a hash, so that different ones stay different. */
    private static String shortened(String space) {
        if (space.length() <= CHARS) return space;
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(space.getBytes(UTF_8));
            return space.substring(0, SHOWN_CHARS) + '~' + HexFormat.of().formatHex(hash, 0, HASH_BYTES);
        } catch (NoSuchAlgorithmException never) {
            throw new IllegalStateException(never);
        }
    }

    static boolean isSpace(String text) {
        if (text.length() > CHARS) return false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
            if (!word && "._:-*,~".indexOf(c) < 0) return false;
        }
        return true;
    }
}
