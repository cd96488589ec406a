package io.floodgate.topics.codec;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Map;
import java.util.TreeMap;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/** AES-256-GCM with a random nonce for each job: version, nonce, ciphertext, tag (OJS encryption §6). */
public final class EncryptionCodec implements PayloadCodec {
    private static final String ENCODING = "binary/encrypted";
    private static final byte VERSION = 1;
    private static final int KEY_BYTES = 32;
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;
    private static final int MIN_BYTES = 1 + NONCE_BYTES + TAG_BITS / 8;

    private final SecureRandom random = new SecureRandom();
    private final Map<String, SecretKeySpec> keys = new TreeMap<>();
    private final String current;

    /**
     * @param keys of 32 bytes, by their ids: all with which jobs are encrypted that are still there
     * @param current the id of the key that encrypts
     */
    public EncryptionCodec(Map<String, byte[]> keys, String current) {
        keys.forEach((id, key) -> {
            if (key.length != KEY_BYTES)
                throw new IllegalArgumentException(
                        "key '%s' has %d bytes, not %d".formatted(id, key.length, KEY_BYTES));
            this.keys.put(id, new SecretKeySpec(key, "AES"));
        });
        if (!keys.containsKey(current)) throw new IllegalArgumentException("there is no key '%s'".formatted(current));
        this.current = current;
    }

    @Override
    public String encoding() {
        return ENCODING;
    }

    @Override
    public String keyId() {
        return current;
    }

    @Override
    public byte[] encode(byte[] payload) {
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        byte[] encrypted = crypt(Cipher.ENCRYPT_MODE, current, nonce, payload, 0);
        return ByteBuffer.allocate(1 + NONCE_BYTES + encrypted.length)
                .put(VERSION)
                .put(nonce)
                .put(encrypted)
                .array();
    }

    @Override
    public byte[] decode(byte[] encoded, @Nullable String keyId) {
        if (encoded.length < MIN_BYTES || encoded[0] != VERSION)
            throw new CodecFailed("The arguments are not encrypted in the way of version %d.".formatted(VERSION));
        if (keyId == null) throw new CodecFailed("The job does not say which key its arguments are encrypted with.");
        byte[] nonce = new byte[NONCE_BYTES];
        System.arraycopy(encoded, 1, nonce, 0, NONCE_BYTES);
        return crypt(Cipher.DECRYPT_MODE, keyId, nonce, encoded, 1 + NONCE_BYTES);
    }

    private byte[] crypt(int mode, String keyId, byte[] nonce, byte[] data, int from) {
        SecretKeySpec key = keys.get(keyId);
        if (key == null) throw new CodecFailed("There is no key '%s' to decrypt the arguments.".formatted(keyId));
        try {
            Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
            cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
            return cipher.doFinal(data, from, data.length - from);
        } catch (GeneralSecurityException failure) {
            throw new CodecFailed(
                    "Key '%s' does not fit the arguments, or they are damaged.".formatted(keyId), failure);
        }
    }
}
