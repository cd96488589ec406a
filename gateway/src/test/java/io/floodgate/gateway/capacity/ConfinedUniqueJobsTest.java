package io.floodgate.gateway.capacity;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.gateway.GatewayFixture;
import io.floodgate.gateway.access.ApiKey;
import io.floodgate.gateway.access.Authenticator;
import io.floodgate.gateway.access.KeyAuthenticator;
import io.floodgate.gateway.access.KeyRing;
import io.floodgate.gateway.access.KeySecret;
import io.floodgate.gateway.access.Scope;
import io.floodgate.topics.command.Identity;
import io.floodgate.topics.command.KeyCommand.CheckKeys;
import io.floodgate.topics.job.EnvelopeReader;
import io.floodgate.topics.unique.UniquePolicy;
import java.security.SecureRandom;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The keys of a caller that is confined to some queues are its own, also when its jobs have no room. */
class ConfinedUniqueJobsTest extends GatewayFixture {
    private static final String JOB =
            "{\"type\":\"email.send\",\"args\":[],\"queue\":\"email\",\"unique\":{\"on_conflict\":\"reject\"}}";

    private final Identity caller = new Identity("caller", List.of("email"), null);
    private final KeySecret secret = KeySecret.make(new SecureRandom());
    private final FullQueue queue = new FullQueue(10, 10);

    @Override
    protected Authenticator callers() {
        ApiKey key = new ApiKey(secret.id(), secret.hash(), Set.of(Scope.PRODUCE), caller, null);
        return new KeyAuthenticator(() -> new KeyRing(List.of(key)), given.clock, given.nanos::get);
    }

    private Got enqueue() {
        return post("/ojs/v1/jobs", JOB, "Authorization", "Bearer " + secret.reveal());
    }

    @Test
    void a_key_is_looked_up_in_the_space_of_its_caller() throws Exception {
        logs.answer(queue::carryOut);
        enqueue();
        enqueue().answers(429);

        UniquePolicy own = Objects.requireNonNull(
                        EnvelopeReader.read(JOB.getBytes(UTF_8)).terms().unique())
                .in(Identity.spaceOf(caller));
        var asked = logs.sent().getLast();
        assertThat(asked.command()).isEqualTo(new CheckKeys(List.of(own.fingerprint())));
        assertThat(asked.log()).isEqualTo(own.home(logs.routing(), "email"));
        assertThat(asked.by()).isEqualTo(caller);
    }
}
