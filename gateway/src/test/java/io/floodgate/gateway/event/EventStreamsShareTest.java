package io.floodgate.gateway.event;

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
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** No source can take all event streams of a gateway. */
class EventStreamsShareTest extends GatewayFixture {
    private final List<ApiKey> keys = new ArrayList<>();
    private final String ofQueues = key(List.of("mine.*"));
    private final String ofAll = key(null);

    private String key(@Nullable List<String> queues) {
        KeySecret secret = KeySecret.make(new SecureRandom());
        Identity identity = new Identity("key-" + keys.size(), queues, null);
        keys.add(new ApiKey(secret.id(), secret.hash(), Set.of(Scope.OBSERVE), identity, null));
        return "Bearer " + secret.reveal();
    }

    @Override
    protected Authenticator callers() {
        return new KeyAuthenticator(() -> new KeyRing(keys), given.clock, given.nanos::get);
    }

    private HttpResponse<InputStream> stream(HttpClient http, String key) throws IOException, InterruptedException {
        return http.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + "/ojs/v1/events/stream"))
                        .header("Authorization", key)
                        .build(),
                HttpResponse.BodyHandlers.ofInputStream());
    }

    @Test
    void a_key_takes_no_more_of_them_than_it_leaves_and_others_still_find_one() throws Exception {
        HttpClient http =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        try {
            int share = (given.streams.most() + 1) / 2;
            List<HttpResponse<InputStream>> open = new ArrayList<>();
            for (int i = 0; i < share; i++) open.add(stream(http, ofQueues));
            assertThat(open).allMatch(each -> each.statusCode() == 200);

            HttpResponse<InputStream> oneMore = stream(http, ofQueues);
            assertThat(oneMore.statusCode()).isEqualTo(429);
            assertThat(new String(oneMore.body().readAllBytes(), UTF_8)).contains("event_streams", "rate_limited");
            HttpResponse<InputStream> ofAnother = stream(http, ofAll);
            assertThat(ofAnother.statusCode()).isEqualTo(200);

            open.add(ofAnother);
            for (HttpResponse<InputStream> each : open) each.body().close();
            await(() -> given.streams.open() == 0);
            HttpResponse<InputStream> again = stream(http, ofQueues);
            assertThat(again.statusCode()).isEqualTo(200);
            again.body().close();
        } finally {
            http.shutdownNow();
        }
    }
}
