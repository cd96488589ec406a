package io.floodgate.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.gateway.FakePartitions;
import io.floodgate.gateway.GatewayFixture;
import io.floodgate.topics.command.JobCommand.Nack;
import io.floodgate.topics.command.PartitionCommand.Extend;
import io.floodgate.topics.command.WorkerCommand.Beat;
import io.floodgate.topics.json.Json;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HostileRequestTest extends GatewayFixture {
    private static final String JOB = "019539a4-b68c-7def-8000-1a2b3c4d5e6f";
    private static final String OK = "/ojs/manifest";

    @ParameterizedTest
    @ValueSource(strings = {"ASSERT", "push", "fetch", "ack", "PATCH", "PROPFIND", "X-Y_Z"})
    void with_an_odd_method_is_answered_and_the_connection_goes_on(String method) throws IOException {
        try (RawHttp http = new RawHttp(port())) {
            RawHttp.Response odd = http.request(method, "/", "{}").read();
            assertThat(odd.status()).isIn(404, 405);
            assertThat(Json.MAPPER.readTree(odd.body()).at("/error/code").stringValue())
                    .isIn("not_found", "method_not_allowed");

            assertThat(http.request("GET", OK, "").read().status()).isEqualTo(200);
        }
    }

    @Test
    void with_a_lower_case_method_is_understood() throws IOException {
        try (RawHttp http = new RawHttp(port())) {
            assertThat(http.request("get", OK, "").read().status()).isEqualTo(200);
        }
    }

    @Test
    void with_the_wrong_method_hears_the_right_ones() {
        Got got = send("PUT", "/ojs/v1/jobs/019539a4-b68c-7def-8000-1a2b3c4d5e6f", "{}");

        got.answers(405);
        assertThat(got.header("Allow")).contains("GET", "DELETE");
        assertThat(got.at("/error/code").stringValue()).isEqualTo("method_not_allowed");
    }

    @Test
    void to_an_unknown_path_is_not_found() {
        Got got = post("/ojs/v1/nothing/here", "{}");

        got.answers(404, "{'error':{'code':'not_found'}}");
        assertThat(got.at("/error/hint").isString()).isTrue();
        assertThat(got.at("/error/docs_url").isString()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{ invalid json }",
                "[]",
                "null",
                "7",
                "\"text\"",
                "{",
                "{\"type\":\"a\",\"args\":[]}}",
                "{\"type\":\"a\",\"type\":\"b\",\"args\":[]}",
                "{\"type\":\"a\",\"args\":[1,]}",
                "{\"type\":\"a\",\"args\":[NaN]}",
                "{\"type\":\"a\",\"args\":[\"\\uD800\"]"
            })
    void with_broken_json_is_rejected(String body) {
        for (String path :
                new String[] {"/ojs/v1/jobs", "/ojs/v1/workers/fetch", "/ojs/v1/workers/ack", "/ojs/v1/jobs/batch"}) {
            Got got = post(path, body);
            assertThat(got.status()).as("%s %s", path, body).isEqualTo(400);
            assertThat(got.at("/error/code").stringValue()).isIn("invalid_payload", "invalid_request");
            assertThat(got.at("/error/retryable").booleanValue()).isFalse();
        }
        assertThat(logs.sent()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        /ojs/v1/jobs|{'type':'a','args':['#']}|args
        /ojs/v1/jobs/batch|{'jobs':[{'type':'a','args':['#']}]}|args
        /ojs/v1/workflows|{'name':'a','type':'chain','steps':[{'type':'a','args':['#']}]}|steps
        /ojs/v1/cron|{'name':'a','expression':'* * * * *','job_template':{'type':'a','args':['#']}}|job_template
        /ojs/v1/workers/ack|{'job_id':'@','result':{'a':'#'}}|result
        /ojs/v1/jobs/@/checkpoint|{'state':{'a':'#'}}|state
        /ojs/v1/jobs/@/progress|{'data':{'a':'#'}}|data
        /ojs/v1/workers/heartbeat|{'worker_id':'#'}|worker_id
        """)
    void with_half_a_surrogate_pair_is_rejected_by_name(String path, String body, String field) {
        String method = path.contains("@") ? "PUT" : "POST";
        String json = body.replace('\'', '"').replace("#", "\\ud800").replace("@", JOB);

        Got got = send(method, path.replace("@", JOB), json);

        assertThat(got.status()).as(got.body()).isIn(400, 422);
        assertThat(got.body()).contains("half of a surrogate pair", "'" + field);
        assertThat(logs.sent()).isEmpty();
    }

    @Test
    void about_a_failure_is_accepted_with_half_a_surrogate_pair() {
        logs.answer(command -> FakePartitions.done("{}"));

        post("/ojs/v1/workers/nack", "{\"job_id\":\"%s\",\"error\":{\"message\":\"caf\\udce9\"}}".formatted(JOB));

        assertThat(logs.theCommand(Nack.class).error().message()).isEqualTo("caf\ufffd");
    }

    @Test
    void nested_too_deeply_is_rejected() {
        String deep = "{\"type\":\"a\",\"args\":" + "[".repeat(50_000) + "]".repeat(50_000) + "}";

        post("/ojs/v1/jobs", deep).answers(400);
        post("/ojs/v1/workers/ack", deep).answers(400);
        post("/ojs/v1/jobs/batch", "{\"jobs\":[" + deep + "]}").answers(400);
    }

    @ParameterizedTest
    @ValueSource(strings = {"UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE"})
    void in_another_encoding_is_rejected(String charset) throws Exception {
        byte[] body = "{\"type\":\"a\",\"args\":[]}".getBytes(Charset.forName(charset));
        for (String path : new String[] {"/ojs/v1/jobs", "/ojs/v1/workers/fetch", "/ojs/v1/jobs/batch"}) {
            try (RawHttp http = new RawHttp(port())) {
                http.send(
                        "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
                                .formatted(path, body.length));
                assertThat(http.send(body).read().status()).as(path).isEqualTo(400);
            }
        }
    }

    @Test
    void with_bytes_that_are_no_text_is_rejected() throws Exception {
        byte[] body = "{\"type\":\"a\",\"args\":[\"\u00ff\u00fe\"]}".getBytes(StandardCharsets.ISO_8859_1);
        for (String path : new String[] {"/ojs/v1/jobs", "/ojs/v1/workers/ack"}) {
            try (RawHttp http = new RawHttp(port())) {
                http.send(
                        "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
                                .formatted(path, body.length));
                assertThat(http.send(body).read().status()).isEqualTo(400);
            }
        }
    }

    @Test
    void that_ends_early_does_no_harm() throws Exception {
        try (RawHttp http = new RawHttp(port())) {
            http.send(
                    "POST /ojs/v1/jobs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{\"type\"");
            http.endOfOutput();
        }
        get(OK).answers(200);
        assertThat(logs.sent()).isEmpty();
    }

    @Test
    void with_huge_headers_is_rejected() throws Exception {
        try (RawHttp http = new RawHttp(port())) {
            http.send("GET " + OK + " HTTP/1.1\r\nHost: localhost\r\nX-Big: " + "y".repeat(100_000) + "\r\n\r\n");
            RawHttp.Response response = http.read();
            assertThat(response.status()).isBetween(400, 499);
            assertThat(response.has("Content-Type: application/openjobspec+json"))
                    .isTrue();
        }
    }

    @Test
    void with_an_endless_path_is_rejected() throws Exception {
        try (RawHttp http = new RawHttp(port())) {
            http.send("GET /" + "y".repeat(100_000) + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
            RawHttp.Response response = http.read();
            assertThat(response.status()).isBetween(400, 499);
            assertThat(Json.MAPPER.readTree(response.body()).at("/error/code").isString())
                    .isTrue();
        }
    }

    @Test
    void announcing_too_much_is_rejected_unread() throws Exception {
        try (RawHttp http = new RawHttp(port())) {
            http.send(
                    "POST /ojs/v1/jobs/batch HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 99999999999\r\n\r\n");
            RawHttp.Response response = http.read();
            assertThat(response.status()).isEqualTo(413);
            assertThat(Json.MAPPER.readTree(response.body()).at("/error/code").stringValue())
                    .isEqualTo("envelope_too_large");
        }
    }

    @Test
    void in_chunks_without_end_is_rejected() throws Exception {
        try (RawHttp http = new RawHttp(port())) {
            http.send(
                    "POST /ojs/v1/jobs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n");
            String chunk = "10000\r\n" + "y".repeat(65_536) + "\r\n";
            for (int i = 0; i < 17; i++) http.send(chunk);
            assertThat(http.send("0\r\n\r\n").read().status()).isEqualTo(413);
        }
    }

    @Test
    void rejected_unread_does_not_count_as_a_slow_one() throws Exception {
        try (RawHttp http = new RawHttp(port())) {
            assertThat(http.request("POST", "/nowhere", "{}".repeat(10_000))
                            .read()
                            .status())
                    .isEqualTo(404);
            passForCallers(SENDING.plusSeconds(1));

            assertThat(http.request("GET", OK, "").read().status()).isEqualTo(200);
        }
    }

    @Test
    void with_broken_chunks_is_rejected() throws Exception {
        try (RawHttp http = new RawHttp(port())) {
            http.send(
                    "POST /ojs/v1/jobs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n");
            assertThat(http.read().status()).isEqualTo(400);
        }
    }

    @Test
    void dribbling_its_headers_is_cut_off() throws Exception {
        try (RawHttp http = new RawHttp(port())) {
            http.send("POST /ojs/v1/jobs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nX-Slow: ");
            takesTooLong(http);
            assertThat(http.read().status()).isEqualTo(408);
            assertThat(http.isClosed()).isTrue();
        }
    }

    @Test
    void dribbling_its_body_is_cut_off() throws Exception {
        try (RawHttp http = new RawHttp(port())) {
            http.send(
                    "POST /ojs/v1/jobs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{");
            takesTooLong(http);
            assertThat(http.read().status()).isEqualTo(408);
            assertThat(http.isClosed()).isTrue();
        }
    }

    /** The server may not have seen yet that the request has begun. */
    private void takesTooLong(RawHttp http) {
        await(() -> {
            passForCallers(SENDING.plusSeconds(1));
            return http.isAnswered();
        });
    }

    @Test
    void never_makes_the_server_fail() throws Exception {
        logs.answer(command -> switch (command) {
            case Extend extend -> FakePartitions.done("{\"extended\":[],\"elsewhere\":[]}");
            case Beat beat -> FakePartitions.done("{\"state\":\"running\",\"server_time\":\"\"}");
            default -> FakePartitions.done("{}");
        });
        long seed = Long.getLong("hostile.seed", System.nanoTime());
        Random random = new Random(seed);
        String valid =
                "{\"type\":\"a.b\",\"args\":[1,{\"x\":\"\u00e4\\u00e4\\n\"}],\"options\":{\"queue\":\"q\",\"retry\":{\"max_attempts\":3}},"
                        + "\"queues\":[\"q\"],\"job_id\":\"019539a4-b68c-7def-8000-1a2b3c4d5e6f\",\"worker_id\":\"w\",\"error\":{\"message\":\"m\"},"
                        + "\"active_jobs\":[\"x\"],\"jobs\":[{\"type\":\"a\",\"args\":[]}]}";
        String[] paths = {
            "/ojs/v1/jobs",
            "/ojs/v1/jobs/batch",
            "/ojs/v1/workers/fetch",
            "/ojs/v1/workers/ack",
            "/ojs/v1/workers/nack",
            "/ojs/v1/workers/heartbeat",
            "/ojs/v1/workers/beat"
        };
        try (RawHttp http = new RawHttp(port())) {
            for (int i = 0; i < 3_000; i++) {
                byte[] body = mutated(valid.getBytes(StandardCharsets.UTF_8), random);
                String path = paths[random.nextInt(paths.length)];
                http.send(
                        "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
                                .formatted(path, body.length));
                int status = http.send(body).read().status();
                assertThat(status)
                        .as("-Dhostile.seed=%d, round %d, %s", seed, i, path)
                        .isNotEqualTo(500);
            }
        }
    }

    private static byte[] mutated(byte[] valid, Random random) {
        byte[] body = valid.clone();
        for (int n = random.nextInt(4); n >= 0; n--) {
            int at = random.nextInt(body.length);
            switch (random.nextInt(4)) {
                case 0 -> body[at] = (byte) random.nextInt(256);
                case 1 -> body = java.util.Arrays.copyOf(body, Math.max(1, at));
                case 2 -> body[at] = (byte) "{}[]\",:\\0123.-e".charAt(random.nextInt(15));
                default -> System.arraycopy(body, 0, body, at, Math.min(body.length - at, random.nextInt(20)));
            }
        }
        return body;
    }
}
