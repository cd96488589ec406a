package io.floodgate.topics.limit;

import io.floodgate.topics.json.JsonOut;
import org.jspecify.annotations.Nullable;

/**
 * A job's rate limit (OJS rate limiting §6): all jobs with the key share what may run of them.
 *
 * @param allowance what this job says may run under the key; the newest job's word counts
 */
public record RateLimit(String key, Allowance allowance, OnLimit onLimit) {
    public static final int KEY_CHARS = 255;

    /** A key with the space that it is in. */
    public static final int NAME_CHARS = KEY_CHARS + 1 + LimitSpace.CHARS;

    private static final String OF_QUEUE = "queue:";

    /**
     * Returns the key that jobs of a queue share whose limit names no key, which is also the name of the queue's own
     * limit.
     */
    public static String keyOfQueue(String queue) {
        return OF_QUEUE + queue;
    }

    /** The queue that a key belongs to, in whatever space; null if it belongs to none. */
    public static @Nullable String queueOf(String name) {
        if (!name.startsWith(OF_QUEUE)) return null;
        int space = name.indexOf(LimitSpace.MARK);
        return name.substring(OF_QUEUE.length(), space < 0 ? name.length() : space);
    }

    /** A key, with or without the space that it is in. */
    public static boolean isName(String text) {
        int space = text.indexOf(LimitSpace.MARK);
        return space < 0
                ? isKey(text)
                : isKey(text.substring(0, space)) && LimitSpace.isSpace(text.substring(space + 1));
    }

    /** The same limit under a key that stands in this space; as it is if that is null. */
    public RateLimit in(@Nullable String space) {
        return space == null ? this : new RateLimit(key + LimitSpace.MARK + space, allowance, onLimit);
    }

    /** Letters and digits, and inside also {@code . _ : -}. */
    public static boolean isKey(String text) {
        if (text.isEmpty() || text.length() > KEY_CHARS || !isLetterOrDigit(text.charAt(0))) return false;
        for (int i = 1; i < text.length(); i++) {
            char c = text.charAt(i);
            if (!isLetterOrDigit(c) && "._:-".indexOf(c) < 0) return false;
        }
        return true;
    }

    private static boolean isLetterOrDigit(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    }

    /** The members of a JSON object, in the spelling of the specification. */
    public void write(JsonOut out) {
        out.field("key", key);
        allowance.write(out);
        out.field("on_limit", onLimit.wire());
    }
}
