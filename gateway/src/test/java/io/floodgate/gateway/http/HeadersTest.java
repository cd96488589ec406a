package io.floodgate.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.gateway.GatewayFixture;
import org.junit.jupiter.api.Test;

class HeadersTest extends GatewayFixture {
    @Test
    void are_on_good_and_bad_answers_alike() {
        for (String path : new String[] {"/ojs/manifest", "/nowhere", "/ojs/v1/jobs/nonsense"}) {
            Got got = get(path);

            assertThat(got.header("Content-Type")).isEqualTo(JSON);
            assertThat(got.header("OJS-Version")).isEqualTo("1.0");
            assertThat(got.header("X-OJS-Version")).isEqualTo("1.0");
            assertThat(got.header("X-Content-Type-Options")).isEqualTo("nosniff");
            assertThat(got.header("X-Request-Id"))
                    .matches("req_[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}");
            assertThat(Long.parseLong(got.header("X-RateLimit-Limit"))).isPositive();
            assertThat(Long.parseLong(got.header("X-RateLimit-Remaining"))).isPositive();
            assertThat(Long.parseLong(got.header("X-RateLimit-Reset"))).isPositive();
        }
    }

    @Test
    void echo_the_callers_request_id() {
        Got got = get("/nowhere", "X-Request-ID", "abc-123");

        assertThat(got.header("X-Request-Id")).isEqualTo("abc-123");
        assertThat(got.at("/error/request_id").stringValue()).isEqualTo("abc-123");
    }

    @Test
    void demand_a_version_that_is_there() {
        get("/ojs/manifest", "OJS-Version", "1").answers(200);
        get("/ojs/manifest", "OJS-Version", "1.0.0-rc.1").answers(200);
        get("/ojs/manifest", "OJS-Version", "2.0").answers(422, "{'error':{'code':'unsupported'}}");
    }

    @Test
    void demand_extensions_that_are_there() {
        get("/ojs/manifest", "OJS-Requires-Extension", "urn:ojs:ext:progress, urn:ojs:ext:backpressure")
                .answers(200);
        Got got = get("/ojs/manifest", "OJS-Requires-Extension", "urn:ojs:ext:progress, urn:ojs:ext:telepathy");
        got.answers(422, "{'error':{'code':'EXTENSION_NOT_SUPPORTED'}}");
    }
}
