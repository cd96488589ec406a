package io.floodgate.topics.limit;

import io.floodgate.topics.json.JsonOut;

/**
 * A job's rate limit (OJS rate limiting §6): all jobs with the key share what may run of them.
 *
 * @param allowance what this job says may run under the key; the newest job's word counts
 */
public record RateLimit(String key, Allowance allowance, OnLimit onLimit) {
    public static final int KEY_CHARS = 255;

    /** What jobs of a queue share whose limit names no key. */
    public static String keyOfQueue(String queue) {
        return "queue:" + queue;
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
