package io.floodgate.topics.queue;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Order keys of jobs: jobs of a queue with the same key, of the same tenant, start one after the other. */
public final class OrderKey {
    /** The member of a job that names its key. */
    public static final String NAME = "order_key";

    /** The same, as a name that no other specification takes (OJS core §11.10). */
    public static final String EXTENSION_NAME = "x_order_key";

    /** The key of a job's record in the topic of its queue, among its members. */
    public static final String RECORD_KEY = "x_record_key";

    public static final int MOST_CHARS = 255;

    /**
     * The form of paths to a key: {@code meta.order_id}, {@code args.0.order_id}, a member of the first of the args as
     * {@code args.order_id}, or another member such as {@code x_record_key}.
     */
    static final String PATH = "[A-Za-z_][A-Za-z0-9_-]{0,63}(\\.[A-Za-z0-9_-]{1,64}){0,7}";

    private OrderKey() {}

    public static boolean isKey(String text) {
        return !text.isEmpty() && text.length() <= MOST_CHARS;
    }

    /** Returns a number for the line of a key. It is one that no tenant can find for the key of another one. */
    public static long line(String queue, String tenant, String key) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update((queue + '\n' + tenant + '\n').getBytes(UTF_8));
            return ByteBuffer.wrap(digest.digest(key.getBytes(UTF_8))).getLong() >>> 1;
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
