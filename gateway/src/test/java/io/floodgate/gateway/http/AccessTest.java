package io.floodgate.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.gateway.FakePartitions;
import io.floodgate.gateway.GatewayFixture;
import io.floodgate.gateway.TestApi;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AccessTest extends GatewayFixture {
    private static final String PAUSE = "/ojs/v1/queues/q/pause";

    @BeforeEach
    void answer() {
        logs.answer("{\"name\":\"q\",\"version\":1,\"created_at\":\"t\",\"paused\":true}");
    }

    private int pauseWith(String headers) throws IOException {
        try (RawHttp http = new RawHttp(port())) {
            return http.send("POST " + PAUSE + " HTTP/1.1\r\n" + headers + "\r\n\r\n")
                    .read()
                    .status();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "localhost",
                "localhost:8080",
                "LOCALHOST",
                "127.0.0.1:80",
                "[::1]:8080",
                "10.1.2.3",
                "app.localhost",
                TestApi.FRIENDLY_HOST,
                TestApi.FRIENDLY_HOST + ":443"
            })
    void is_granted_under_names_that_no_other_client_can_have(String host) throws IOException {
        assertThat(pauseWith("Host: " + host)).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "evil.example",
                "evil.example:8080",
                "localhost.evil.example",
                "gateway",
                "127.0.0.1.evil.example"
            })
    void is_rejected_under_any_other_name(String host) throws IOException {
        assertThat(pauseWith("Host: " + host)).isEqualTo(403);
        assertThat(logs.sent()).isEmpty();
    }

    @Test
    void on_a_network_of_containers_is_granted_under_plain_names() {
        assertThat(new HostCheck("0.0.0.0", List.of()).allows("gateway:8080")).isTrue();
        assertThat(new HostCheck("0.0.0.0", List.of()).allows("gateway.example"))
                .isFalse();
        assertThat(new HostCheck("0.0.0.0", List.of("*")).allows("gateway.example"))
                .isTrue();
    }

    @Test
    void is_rejected_to_pages_of_other_sites() throws IOException {
        assertThat(pauseWith("Host: localhost\r\nOrigin: https://evil.example")).isEqualTo(403);
        assertThat(pauseWith("Host: localhost\r\nOrigin: null")).isEqualTo(403);
        assertThat(pauseWith("Host: localhost\r\nSec-Fetch-Site: cross-site"))
                .as("from a browser that leaves out the origin")
                .isEqualTo(403);
        assertThat(pauseWith("Host: localhost:8080\r\nOrigin: http://localhost:3000"))
                .isEqualTo(403);
        assertThat(logs.sent()).isEmpty();
        Got read = get("/ojs/manifest", "Origin", "https://evil.example");
        assertThat(read.header("Access-Control-Allow-Origin")).isNull();
    }

    @Test
    void is_granted_to_this_servers_own_page_and_to_a_client_that_is_no_page() throws IOException {
        assertThat(pauseWith("Host: localhost:8080\r\nOrigin: http://localhost:8080"))
                .isEqualTo(200);
        assertThat(pauseWith("Host: localhost")).isEqualTo(200);
    }

    @Test
    void is_granted_to_pages_that_were_allowed() {
        Got got = post(PAUSE, "{}", "Origin", TestApi.FRIENDLY_ORIGIN);

        got.answers(200);
        assertThat(got.header("Access-Control-Allow-Origin")).isEqualTo(TestApi.FRIENDLY_ORIGIN);
        assertThat(got.header("Vary")).isEqualTo("Origin");
        assertThat(got.header("Access-Control-Expose-Headers"))
                .contains("X-Request-Id", "X-RateLimit-Limit", "OJS-Version", "Retry-After", "X-OJS-Queue-Depth");
    }

    @Test
    void is_asked_for_with_a_preflight() {
        Got got = send(
                "OPTIONS",
                "/ojs/v1/jobs",
                null,
                "Origin",
                TestApi.FRIENDLY_ORIGIN,
                "Access-Control-Request-Headers",
                "cache-control, traceparent, x-my-own");

        got.answers(204);
        assertThat(got.header("Access-Control-Allow-Origin")).isEqualTo(TestApi.FRIENDLY_ORIGIN);
        assertThat(got.header("Access-Control-Allow-Headers")).isEqualTo("cache-control, traceparent, x-my-own");
        assertThat(got.header("Access-Control-Allow-Methods")).isEqualTo("GET, HEAD, POST");
        assertThat(got.header("Allow")).isEqualTo("GET, HEAD, POST, OPTIONS");
    }

    @Test
    void is_not_promised_to_others() {
        Got got = send("OPTIONS", "/ojs/v1/jobs", null, "Origin", "https://evil.example");

        got.answers(204);
        assertThat(got.header("Access-Control-Allow-Origin")).isNull();
        assertThat(got.header("Access-Control-Allow-Headers")).isNull();
    }

    @Test
    void to_nothing_is_not_found_whatever_is_asked() {
        send("OPTIONS", "/nothing", null).answers(404);
    }

    @Test
    void with_a_body_of_no_type_is_rejected() throws IOException {
        logs.answer(command -> FakePartitions.done());
        String body = "{\"type\":\"a\",\"args\":[]}";
        try (RawHttp http = new RawHttp(port())) {
            RawHttp.Response got = http.send(
                            "POST /ojs/v1/jobs HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n%s"
                                    .formatted(body.length(), body))
                    .read();
            assertThat(got.status()).isEqualTo(400);
            assertThat(got.body()).contains("Content-Type");
        }
        assertThat(logs.sent()).isEmpty();
    }
}
