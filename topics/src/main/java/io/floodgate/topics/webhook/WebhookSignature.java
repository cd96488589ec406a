package io.floodgate.topics.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** What proves to a receiver who sent a delivery, and when (OJS webhooks §8.1). */
public final class WebhookSignature {
    private static final String ALGORITHM = "HmacSHA256";

    /** What each signature begins with. */
    public static final String PREFIX = "sha256=";

    private WebhookSignature() {}

    /** Returns the value of {@code X-OJS-Signature}: one signature by each secret, while secrets are replaced (§8.3). */
    public static String header(List<String> secrets, long timestampSeconds, byte[] body) {
        String timestamp = Long.toString(timestampSeconds);
        return secrets.stream()
                .map(secret -> PREFIX + HexFormat.of().formatHex(bytes(secret, timestamp, body)))
                .collect(Collectors.joining(","));
    }

    /** Returns one signature; the timestamp as it stands in {@code X-OJS-Timestamp}. */
    public static byte[] bytes(String secret, String timestamp, byte[] body) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(secret.getBytes(UTF_8), ALGORITHM));
            mac.update((timestamp + '.').getBytes(UTF_8));
            return mac.doFinal(body);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has " + ALGORITHM, e);
        }
    }
}
