package io.floodgate.topics.command;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.floodgate.topics.json.Wire;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * What a gateway adds to a job in the topic of a queue: who wants it, and where the answer goes. A client that may write to that
 * topic could write this, too; so it counts only with a signature by a key of the partition, which is never in such a topic.
 *
 * @param by as {@link Identity#write} has it; null without an identity
 * @param madeId the gateway has made the job's id
 * @param signature of all of this, of the queue, the time to wait, and the job
 */
public record SignedRequest(
        @Wire.Most(300) ReplyTo replyTo,
        @Wire.Most(SignedRequest.BY_CHARS) @Nullable String by,
        boolean madeId,
        String signature) {
    /** Of a key. */
    public static final int KEY_BYTES = 32;

    /** The form of a key in hexadecimal digits, as a regular expression. */
    static final String KEY = "[0-9a-f]{" + 2 * KEY_BYTES + "}";

    /** Written, none is longer. */
    static final int BY_CHARS = 16 * 1024;

    private static final String ALGORITHM = "HmacSHA256";

    /** @param wait for room, if the queue blocks */
    public static SignedRequest sign(
            byte[] key,
            String queue,
            ReplyTo replyTo,
            @Nullable Identity by,
            boolean madeId,
            Duration wait,
            byte[] job) {
        String written = Identity.written(by);
        return new SignedRequest(
                replyTo,
                written,
                madeId,
                HexFormat.of().formatHex(mac(key, queue, replyTo, written, madeId, wait, job)));
    }

    /** Whether a holder of the key has written exactly this. */
    public boolean isSignedWith(byte[] key, String queue, @Nullable Duration wait, byte[] job) {
        return wait != null
                && MessageDigest.isEqual(
                        HexFormat.of()
                                .formatHex(mac(key, queue, replyTo, by, madeId, wait, job))
                                .getBytes(UTF_8),
                        signature.getBytes(UTF_8));
    }

    private static byte[] mac(
            byte[] key, String queue, ReplyTo replyTo, @Nullable String by, boolean madeId, Duration wait, byte[] job) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key, ALGORITHM));
            update(mac, queue);
            update(mac, replyTo.toString());
            update(mac, by == null ? "" : by);
            mac.update(ByteBuffer.allocate(Long.BYTES + 1)
                    .putLong(wait.toMillis())
                    .put((byte) (madeId ? 1 : 0))
                    .flip());
            return mac.doFinal(job);
        } catch (GeneralSecurityException missing) {
            throw new IllegalStateException("every Java has " + ALGORITHM, missing);
        }
    }

    private static void update(Mac mac, String text) {
        byte[] bytes = text.getBytes(UTF_8);
        mac.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).flip());
        mac.update(bytes);
    }
}
