package io.floodgate.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.floodgate.client.WebhookNotVerified.Reason;
import io.floodgate.topics.webhook.WebhookSignature;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

final class WebhookVerifierTest {
    private static final long SENT = 1_708_030_665;
    private static final String TIMESTAMP = Long.toString(SENT);
    private static final byte[] BODY = "{\"type\":\"job.completed\"}".getBytes(UTF_8);
    private static final Duration TOLERANCE = Duration.ofMinutes(5);

    private static WebhookVerifier verifier(long now, String... secrets) {
        return new WebhookVerifier(
                List.of(secrets), TOLERANCE, Clock.fixed(Instant.ofEpochSecond(now), ZoneOffset.UTC));
    }

    private static String signed(String... secrets) {
        return WebhookSignature.header(List.of(secrets), SENT, BODY);
    }

    private static Reason reason(WebhookVerifier verifier, String timestamp, String signature, byte[] body) {
        WebhookNotVerified e =
                catchThrowableOfType(WebhookNotVerified.class, () -> verifier.verify(timestamp, signature, body));
        assertThat(e).as("thrown").isNotNull();
        assertThat(e).hasMessageNotContaining("secret-a");
        return e.reason();
    }

    @Test
    void a_delivery_is_verified_by_any_secret_and_any_signature() {
        for (String[] receiver : new String[][] {{"secret-a"}, {"secret-b"}, {"secret-c", "secret-b"}})
            assertThatCode(() -> verifier(SENT, receiver).verify(TIMESTAMP, signed("secret-a", "secret-b"), BODY))
                    .doesNotThrowAnyException();
    }

    @Test
    void spaces_capital_letters_and_signatures_of_later_versions_do_no_harm() {
        String signature = "v2=abc, SHA256=x , sha256="
                + signed("secret-a").substring("sha256=".length()).toUpperCase(Locale.ROOT);
        verifier(SENT, "secret-a").verify(TIMESTAMP, signature, BODY);
    }

    @Test
    void any_other_body_secret_or_timestamp_is_found() {
        WebhookVerifier verifier = verifier(SENT, "secret-a");
        byte[] other = BODY.clone();
        other[3] ^= 1;
        assertThat(reason(verifier, TIMESTAMP, signed("secret-a"), other)).isEqualTo(Reason.WRONG_SIGNATURE);
        assertThat(reason(verifier, TIMESTAMP, signed("secret-b"), BODY)).isEqualTo(Reason.WRONG_SIGNATURE);
        assertThat(reason(verifier, "1708030666", signed("secret-a"), BODY)).isEqualTo(Reason.WRONG_SIGNATURE);
        assertThat(reason(verifier, TIMESTAMP, "sha256=", BODY)).isEqualTo(Reason.WRONG_SIGNATURE);
        assertThat(reason(verifier, TIMESTAMP, signed("secret-a").substring(0, 70), BODY))
                .isEqualTo(Reason.WRONG_SIGNATURE);
    }

    @Test
    void a_delivery_is_verified_within_the_tolerance_and_not_a_second_later_or_earlier() {
        for (long now : new long[] {SENT - 300, SENT, SENT + 300})
            verifier(now, "secret-a").verify(TIMESTAMP, signed("secret-a"), BODY);
        for (long now : new long[] {SENT - 301, SENT + 301, 0})
            assertThat(reason(verifier(now, "secret-a"), TIMESTAMP, signed("secret-a"), BODY))
                    .isEqualTo(Reason.WRONG_TIME);
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"", " "})
    void what_has_no_timestamp_or_no_signature_is_missing_it(String none) {
        WebhookVerifier verifier = verifier(SENT, "secret-a");
        assertThat(reason(verifier, none, signed("secret-a"), BODY)).isEqualTo(Reason.MISSING);
        assertThat(reason(verifier, TIMESTAMP, none, BODY)).isEqualTo(Reason.MISSING);
    }

    @ParameterizedTest
    @ValueSource(strings = {"now", "-1", "1.5", "1708030665 ", "99999999999999999999", "٣"})
    void a_timestamp_is_a_number_of_seconds(String timestamp) {
        assertThat(reason(verifier(SENT, "secret-a"), timestamp, signed("secret-a"), BODY))
                .isEqualTo(Reason.MALFORMED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"abc", ",", "sha1=abc", "sha256 abc"})
    void a_signature_says_how_it_was_made(String signature) {
        assertThat(reason(verifier(SENT, "secret-a"), TIMESTAMP, signature, BODY))
                .isEqualTo(Reason.MALFORMED);
    }

    @Test
    void a_verifier_without_a_secret_would_verify_nothing() {
        assertThatThrownBy(() -> new WebhookVerifier(List.of())).hasMessageContaining("secret");
        assertThatThrownBy(() -> new WebhookVerifier(List.of(""))).hasMessageContaining("empty");
    }
}
