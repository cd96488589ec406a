package io.floodgate.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.gateway.GatewayFixture;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.Rejection.Detail;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

class QueueFullAnswerTest extends GatewayFixture {
    private static final String JOB = "{\"type\":\"x\",\"args\":[]}";
    private static final String MESSAGE = "Queue 'default' has reached its depth bound (50000)";

    private static Rejection full(ErrorCode code, String pressure, Detail... more) {
        return full(code, pressure, 50_000, more);
    }

    private static Rejection full(ErrorCode code, String pressure, int bound, Detail... more) {
        List<Detail> details = new ArrayList<>(List.of(
                new Detail("queue", "\"default\""),
                new Detail("depth", "50000"),
                new Detail("bound", String.valueOf(bound)),
                new Detail("strategy", "\"reject\""),
                new Detail("dimension", "\"depth\""),
                new Detail("pressure", pressure),
                new Detail("size_bytes", "4000")));
        details.addAll(List.of(more));
        return new Rejection(code, MESSAGE, details);
    }

    private static Rejection fullByDepth(String pressure) {
        return full(
                ErrorCode.QUEUE_FULL,
                pressure,
                new Detail("max_depth", "50000"),
                new Detail("retry_after_seconds", "5"));
    }

    @Test
    void is_what_the_specification_shows() {
        logs.reject(fullByDepth("1.0"));

        Got got = post("/ojs/v1/jobs", JOB);

        got.answers(429);
        assertThat(got.header("Retry-After")).isEqualTo("5");
        assertThat(got.header("X-OJS-Queue-Depth")).isEqualTo("50000");
        assertThat(got.header("X-OJS-Queue-Bound")).isEqualTo("50000");
        got.answers("""
            {"error":{"code":"QUEUE_FULL","message":"%s","queue":"default","depth":50000,"bound":50000,
            "strategy":"reject"}}""", MESSAGE);
    }

    @Test
    void of_a_tenant_has_its_figures() {
        logs.reject(Rejection.of(ErrorCode.TENANT_LIMIT_EXCEEDED, "Tenant 'acme-corp' has reached its limit")
                .with("retry_after_seconds", 30)
                .with("tenant_id", "acme-corp")
                .with("limit", "max_queue_depth")
                .with("current", 50_000)
                .with("maximum", 50_000)
                .with("queue", "default")
                .with("depth", 50_000)
                .with("bound", 50_000)
                .with("max_depth", 50_000)
                .with("pressure", 1.0));

        Got got = post("/ojs/v1/jobs", JOB);

        got.answers(429);
        assertThat(got.header("Retry-After")).isEqualTo("30");
        assertThat(got.header("X-OJS-Queue-Depth")).isEqualTo("50000");
        assertThat(got.header("X-OJS-Queue-Bound")).isEqualTo("50000");
        got.answers("""
            {"error":{"code":"TENANT_LIMIT_EXCEEDED","tenant_id":"acme-corp","limit":"max_queue_depth",
            "current":50000,"maximum":50000,"retryable":true},"message":"Tenant 'acme-corp' has reached its limit"}""");
    }

    @Test
    void is_what_the_page_on_the_site_shows_too() {
        logs.reject(fullByDepth("1.0"));

        Got got = post("/ojs/v1/jobs", JOB);

        assertThat(got.header("X-OJS-Queue-Max-Depth")).isEqualTo("50000");
        assertThat(got.header("X-OJS-Queue-Pressure")).isEqualTo("1.0");
        got.answers("""
            {"code":"OJS_RATE_LIMITED","message":"Queue 'default' is at capacity","retryable":true}""");
    }

    @Test
    void is_an_error_like_all_others() {
        logs.reject(fullByDepth("1.2"));

        Got got = post("/ojs/v1/jobs", JOB, "X-Request-Id", "abc");

        got.answers("{'error':{'canonical_code':'QUEUE_FULL','ojs_code':'OJS-6001','retryable':true}}");
        assertThat(got.at("/error/hint").isString()).isTrue();
        got.answers("""
            {"error":{"request_id":"abc","details":{"queue":"default","dimension":"depth","pressure":1.0,
            "retry_after_seconds":5}}}""");
        assertThat(got.header("X-OJS-Queue-Pressure")).isEqualTo("1.0");
        assertThat(got.header("X-OJS-Queue-Size-Bytes")).isNull();
    }

    @Test
    void names_each_request_by_its_own_id() {
        Rejection rejection = fullByDepth("1.0");
        Rejection later = fullByDepth("0.99");

        assertThat(List.of(id(rejection, "a"), id(rejection, "\"b\\"), id(later, "c"), id(rejection, "d")))
                .containsExactly("a", "\"b\\", "c", "d");
    }

    private static String id(Rejection rejection, String requestId) {
        byte[] body = QueueFullAnswer.of(rejection, requestId).body();
        return new JsonMapper().readTree(body).at("/error/request_id").stringValue();
    }

    @Test
    void tells_the_size_if_that_is_bounded() {
        logs.reject(full(
                ErrorCode.QUEUE_FULL,
                "0.99",
                4_096,
                new Detail("max_size_bytes", "4096"),
                new Detail("retry_after_seconds", "1")));

        Got got = post("/ojs/v1/jobs/batch", "{\"jobs\":[" + JOB + "]}");

        got.answers(429);
        assertThat(got.header("X-OJS-Queue-Depth")).isEqualTo("50000");
        assertThat(got.header("X-OJS-Queue-Bound")).isEqualTo("4096");
        assertThat(got.header("X-OJS-Queue-Max-Depth")).isNull();
        assertThat(got.header("X-OJS-Queue-Size-Bytes")).isEqualTo("4000");
        assertThat(got.header("X-OJS-Queue-Max-Size-Bytes")).isEqualTo("4096");
        assertThat(got.header("X-OJS-Queue-Pressure")).isEqualTo("0.99");
    }

    @Test
    void has_the_bound_that_is_reached_where_there_are_two() {
        logs.reject(full(
                ErrorCode.QUEUE_FULL,
                "1.0",
                4_096,
                new Detail("max_depth", "60000"),
                new Detail("max_size_bytes", "4096")));

        Got got = post("/ojs/v1/jobs", JOB);

        assertThat(got.header("X-OJS-Queue-Bound")).isEqualTo("4096");
        assertThat(got.header("X-OJS-Queue-Max-Depth")).isEqualTo("60000");
        assertThat(got.header("X-OJS-Queue-Max-Size-Bytes")).isEqualTo("4096");
    }

    @Test
    void to_a_batch_that_never_fits_asks_for_no_other_try() {
        logs.reject(full(
                ErrorCode.BATCH_EXCEEDS_BOUND,
                "0.0",
                new Detail("max_depth", "50000"),
                new Detail("reason", "\"batch_exceeds_bound\"")));

        Got got = post("/ojs/v1/jobs/batch", "{\"jobs\":[" + JOB + "]}");

        got.answers(429);
        assertThat(got.header("Retry-After")).isNull();
        assertThat(got.header("X-OJS-Queue-Bound")).isEqualTo("50000");
        got.answers("""
            {"error":{"code":"QUEUE_FULL","retryable":false,"details":{"reason":"batch_exceeds_bound"}},
            "retryable":false,"message":"%s"}""", MESSAGE);
    }

    @ParameterizedTest
    @CsvSource({"0,0.0", "0.84,0.84", "0.99999,0.9999", "1,1.0", "1.4,1.0", "3.0E-4,0.0003", "1.0E-9,0.0", "0.5,0.5"})
    void never_shows_a_queue_fuller_than_it_is(String pressure, String shown) {
        assertThat(QueueLoad.shown(pressure)).isEqualTo(shown);
    }
}
