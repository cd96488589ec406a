package io.floodgate.gateway.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.gateway.GatewayFixture;
import io.floodgate.gateway.TestApi;
import io.floodgate.gateway.access.ApiKey;
import io.floodgate.gateway.access.Authenticator;
import io.floodgate.gateway.access.KeyAuthenticator;
import io.floodgate.gateway.access.KeyRing;
import io.floodgate.gateway.access.KeySecret;
import io.floodgate.gateway.access.Scope;
import io.floodgate.topics.command.Identity;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a key tells of itself, so that the console says it in its settings. */
class WhoAmITest extends GatewayFixture {
    private final Instant expires = TestApi.NOW.plus(Duration.ofDays(7));
    private final KeySecret secret = KeySecret.make(new SecureRandom());
    private final ApiKey key = new ApiKey(
            secret.id(),
            secret.hash(),
            Set.of(Scope.OBSERVE),
            new Identity("night", List.of("billing.*"), null),
            expires);

    @Override
    protected Authenticator callers() {
        return new KeyAuthenticator(() -> new KeyRing(List.of(key)), given.clock, given.nanos::get);
    }

    @Test
    void what_it_is_for_and_until_when() {
        Got got = get("/ojs/v1/whoami", "Authorization", "Bearer " + secret.reveal());

        assertThat(got.at("/name").stringValue()).isEqualTo("night");
        assertThat(got.at("/scopes").toString()).isEqualTo("[\"observe\"]");
        assertThat(got.at("/queues").toString()).isEqualTo("[\"billing.*\"]");
        assertThat(got.at("/confined").booleanValue()).isTrue();
        assertThat(Instant.parse(got.at("/expires_at").stringValue())).isEqualTo(expires);
    }
}
