package io.floodgate.client;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.floodgate.client.WebhookNotVerified.Reason;
import io.floodgate.topics.webhook.WebhookSignature;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Tells deliveries of webhooks from what others send to the same URL (OJS webhooks §8.2). It needs the body as it came, before
 * it is parsed:
 *
 * <pre>{@code
 * WebhookVerifier verifier = new WebhookVerifier(List.of(System.getenv("WEBHOOK_SECRET")));
 * HttpServer server = HttpServer.create(new InetSocketAddress(8000), 0);
 * server.createContext("/webhooks/ojs", exchange -> {
 *     byte[] body = exchange.getRequestBody().readNBytes(1_000_000);
 *     Headers headers = exchange.getRequestHeaders();
 *     int status = 204;
 *     try {
 *         verifier.verify(headers.getFirst("X-OJS-Timestamp"), headers.getFirst("X-OJS-Signature"), body);
 *         handle(headers.getFirst("X-OJS-Delivery-ID"), body); // the same id may come again
 *     } catch (WebhookNotVerified e) {
 *         status = 401;
 *     }
 *     exchange.sendResponseHeaders(status, -1);
 *     exchange.close();
 * });
 * server.start();
 * }</pre>
 *
 * <p>For use by many threads.
 */
public final class WebhookVerifier {
    private static final Duration TOLERANCE = Duration.ofMinutes(5);

    private final List<String> secrets;
    private final Duration tolerance;
    private final Clock clock;

    /** Accepts timestamps of the last 5 minutes, and of the next 5, for clocks differ. */
    public WebhookVerifier(List<String> secrets) {
        this(secrets, TOLERANCE, Clock.systemUTC());
    }

    /**
     * @param secrets of the subscription, as they were returned; more than one while they are replaced
     * @param tolerance how far the timestamp may be from now, in both directions
     */
    public WebhookVerifier(List<String> secrets, Duration tolerance, Clock clock) {
        if (secrets.isEmpty()) throw new IllegalArgumentException("a verifier needs at least one secret");
        if (secrets.stream().anyMatch(String::isEmpty))
            throw new IllegalArgumentException("a secret of a webhook is empty");
        if (tolerance.isNegative())
            throw new IllegalArgumentException("a tolerance must not be negative, but is " + tolerance);
        this.secrets = List.copyOf(secrets);
        this.tolerance = tolerance;
        this.clock = clock;
    }

    /**
     * Returns if this is a delivery.
     *
     * @param timestamp the value of {@code X-OJS-Timestamp}; null if the request has none
     * @param signature the value of {@code X-OJS-Signature}; null if the request has none
     * @throws WebhookNotVerified otherwise, with the reason
     */
    public void verify(@Nullable String timestamp, @Nullable String signature, byte[] body) {
        if (timestamp == null || timestamp.isBlank())
            throw new WebhookNotVerified(Reason.MISSING, "the request has no X-OJS-Timestamp");
        if (signature == null || signature.isBlank())
            throw new WebhookNotVerified(Reason.MISSING, "the request has no X-OJS-Signature");
        if (!timestamp.matches("[0-9]{1,12}"))
            throw new WebhookNotVerified(Reason.MALFORMED, "X-OJS-Timestamp is not a number of seconds");
        List<byte[]> given = Stream.of(signature.split(",", -1))
                .map(String::strip)
                .filter(each -> each.startsWith(WebhookSignature.PREFIX))
                .map(each -> each.substring(WebhookSignature.PREFIX.length())
                        .toLowerCase(Locale.ROOT)
                        .getBytes(US_ASCII))
                .toList();
        if (given.isEmpty())
            throw new WebhookNotVerified(
                    Reason.MALFORMED, "X-OJS-Signature has nothing that begins with " + WebhookSignature.PREFIX);
        if (secrets.stream().noneMatch(secret -> isOneOf(given, WebhookSignature.bytes(secret, timestamp, body))))
            throw new WebhookNotVerified(Reason.WRONG_SIGNATURE, "X-OJS-Signature is not of this secret and body");
        Duration away = Duration.between(Instant.ofEpochSecond(Long.parseLong(timestamp)), clock.instant());
        if (away.abs().compareTo(tolerance) > 0)
            throw new WebhookNotVerified(
                    Reason.WRONG_TIME,
                    "X-OJS-Timestamp is " + away.toSeconds() + " s ago, more than " + tolerance.toSeconds() + " s");
    }

    private static boolean isOneOf(List<byte[]> given, byte[] expected) {
        byte[] hex = HexFormat.of().formatHex(expected).getBytes(US_ASCII);
        return given.stream().anyMatch(each -> MessageDigest.isEqual(each, hex));
    }
}
