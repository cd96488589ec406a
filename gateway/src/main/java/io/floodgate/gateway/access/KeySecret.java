package io.floodgate.gateway.access;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Optional;

/**
 * The secret that a caller shows: {@code fg_<id>_<secret>}. The id, which is no secret, finds the key; of the whole,
 * only a hash is kept. The secret is 256 random bits, which cannot be guessed: a slow hash would not protect them
 * better.
 */
public final class KeySecret {
    private static final String PREFIX = "fg_";
    private static final int ID_CHARS = 8;
    private static final int SECRET_BYTES = 32;
    private static final int SECRET_CHARS = 43;
    private static final int CHARS = PREFIX.length() + ID_CHARS + 1 + SECRET_CHARS;
    private static final String LETTERS = "abcdefghijklmnopqrstuvwxyz234567";

    private final String text;

    private KeySecret(String text) {
        this.text = text;
    }

    public static KeySecret make(SecureRandom random) {
        StringBuilder id = new StringBuilder();
        for (int i = 0; i < ID_CHARS; i++) id.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
        byte[] secret = new byte[SECRET_BYTES];
        random.nextBytes(secret);
        return new KeySecret(
                PREFIX + id + "_" + Base64.getUrlEncoder().withoutPadding().encodeToString(secret));
    }

    static Optional<KeySecret> parse(String text) {
        boolean fits = text.length() == CHARS
                && text.startsWith(PREFIX)
                && text.charAt(PREFIX.length() + ID_CHARS) == '_'
                && isId(text.substring(PREFIX.length(), PREFIX.length() + ID_CHARS));
        return fits ? Optional.of(new KeySecret(text)) : Optional.empty();
    }

    static boolean isId(String text) {
        return text.length() == ID_CHARS && text.chars().allMatch(c -> LETTERS.indexOf(c) >= 0);
    }

    public String id() {
        return text.substring(PREFIX.length(), PREFIX.length() + ID_CHARS);
    }

    public byte[] hash() {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    /** The whole key: shown once, to the operator who made it. */
    public String reveal() {
        return text;
    }

    /** Returns a text for logs and debuggers, which must not have the secret. */
    @Override
    public String toString() {
        return PREFIX + id() + "_…";
    }
}
