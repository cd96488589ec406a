package io.floodgate.topics.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class WebhookSignatureTest {
    private static final byte[] BODY = "{\"type\":\"job.completed\",\"ü\":1}".getBytes(UTF_8);

    /** By {@code printf '1708030665.{"type":"job.completed","ü":1}' | openssl dgst -sha256 -hmac whsec_k3j4h5g6f7d8s9a0}. */
    private static final String FIRST = "sha256=e9f8ba0353678dfdc910ae12e8af2dbb08184f582825e82e3e7f34cd555ba624";

    /** The same with {@code -hmac whsec_old}. */
    private static final String SECOND = "sha256=932c609168c3521698ddbe305b1df59858fa64565336d2f5e116e0c956d3af05";

    @Test
    void a_signature_is_what_openssl_makes_of_timestamp_and_body() {
        assertThat(WebhookSignature.header(List.of("whsec_k3j4h5g6f7d8s9a0"), 1708030665, BODY))
                .isEqualTo(FIRST);
    }

    @Test
    void each_secret_signs() {
        assertThat(WebhookSignature.header(List.of("whsec_k3j4h5g6f7d8s9a0", "whsec_old"), 1708030665, BODY))
                .isEqualTo(FIRST + ',' + SECOND);
    }
}
