package io.floodgate.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.gateway.FakePartitions;
import io.floodgate.gateway.GatewayFixture;
import io.floodgate.topics.command.QueueCommand.Enqueue;
import java.io.IOException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where a request ends, and a connection. */
class FramingTest extends GatewayFixture {
    private static final String JOB = "{\"type\":\"a\",\"args\":[]}";
    private static final String CHUNKED = String.join(
            "\r\n",
            "POST /ojs/v1/jobs HTTP/1.1",
            "Host: localhost",
            "Content-Type: application/json",
            "Transfer-Encoding: chunked",
            "",
            "");
    private static final String NEXT = "GET /ojs/manifest HTTP/1.1\r\nHost: localhost\r\n\r\n";

    @BeforeEach
    void answer() {
        logs.answer(command -> FakePartitions.done("{\"queue\":\"default\",\"state\":\"available\",\"attempt\":0}"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "16\r\n" + JOB + "\r\n0\r\n\r\n",
                "16;a=b;c=\"d\"\r\n" + JOB + "\r\n0;e\r\n\r\n",
                "16 ; a=b\r\n" + JOB + "\r\n000\r\n\r\n",
                "16\r\n" + JOB + "\r\n0\r\nX-Trailer: a\r\nHost: evil\r\n\r\n",
                "1\r\n{\r\n2\r\n\"t\r\n13\r\nype\":\"a\",\"args\":[]}\r\n0\r\n\r\n"
            })
    void of_chunks_is_followed_by_the_next_request(String chunks) throws IOException {
        try (RawHttp http = new RawHttp(port())) {
            http.send(CHUNKED + chunks + NEXT);

            assertThat(http.read().status()).isEqualTo(201);
            assertThat(http.read().status()).isEqualTo(200);
            assertThat(new String(logs.theCommand(Enqueue.class).job(), java.nio.charset.StandardCharsets.UTF_8))
                    .contains("\"type\":\"a\"");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "16\r\n" + JOB + "XX0\r\n\r\n",
                "16\r\n" + JOB + "\n0\r\n\r\n",
                "zz\r\n" + JOB + "\r\n0\r\n\r\n",
                "-17\r\n" + JOB + "\r\n0\r\n\r\n",
                "0x17\r\n" + JOB + "\r\n0\r\n\r\n",
                "16 17\r\n" + JOB + "\r\n0\r\n\r\n",
                "16\n" + JOB + "\r\n0\r\n\r\n",
                "fffffffff\r\n" + JOB + "\r\n0\r\n\r\n",
                "\r\n" + JOB + "\r\n0\r\n\r\n"
            })
    void of_broken_chunks_gets_one_answer_and_is_the_last(String chunks) throws IOException {
        try (RawHttp http = new RawHttp(port())) {
            http.send(CHUNKED + chunks + NEXT);

            RawHttp.Response got = http.read();
            assertThat(got.status()).isEqualTo(400);
            assertThat(got.has("Connection: close")).isTrue();
            assertThat(http.isClosed()).isTrue();
        }
        assertThat(logs.sent()).isEmpty();
    }

    @Test
    void in_a_chunk_head_without_end_is_rejected() throws IOException {
        try (RawHttp http = new RawHttp(port())) {
            http.send(CHUNKED + "16;" + "x".repeat(70_000));

            assertThat(http.read().status()).isEqualTo(400);
        }
    }

    @Test
    void in_trailers_without_end_is_rejected() throws IOException {
        try (RawHttp http = new RawHttp(port())) {
            http.send(
                    CHUNKED + "16\r\n" + JOB + "\r\n0\r\n" + "X-Trailer: abcdefghijklmnopqrstuvwxyz\r\n".repeat(1_000));

            assertThat(http.read().status()).isEqualTo(400);
        }
    }

    @Test
    void of_one_large_chunk_is_read_in_pieces() throws IOException {
        String job = "{\"type\":\"a\",\"args\":[\"" + "y".repeat(300_000) + "\"]}";
        try (RawHttp http = new RawHttp(port())) {
            http.send(CHUNKED + Integer.toHexString(job.length()) + "\r\n" + job + "\r\n0\r\n\r\n" + NEXT);

            assertThat(http.read().status()).isEqualTo(201);
            assertThat(http.read().status()).isEqualTo(200);
        }
    }

    @Test
    void announced_as_the_last_is_the_last() throws IOException {
        try (RawHttp http = new RawHttp(port())) {
            http.send("GET /ojs/manifest HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");

            RawHttp.Response got = http.read();
            assertThat(got.status()).isEqualTo(200);
            assertThat(got.has("Connection: close")).isTrue();
            assertThat(http.isClosed()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Host: localhost\r\n",
                "Connection: keep-alive\r\n",
                "User-Agent: check\r\nHost: 127.0.0.1\r\n"
            })
    void in_an_older_http_is_served_and_is_the_last(String headers) throws IOException {
        try (RawHttp http = new RawHttp(port())) {
            http.send("GET /ojs/manifest HTTP/1.0\r\n" + headers + "\r\n");

            RawHttp.Response got = http.read();
            assertThat(got.status()).isEqualTo(200);
            assertThat(got.body()).contains("floodgate");
            assertThat(http.isClosed()).isTrue();
        }
    }

    @Test
    void in_an_older_http_may_come_in_pieces() throws IOException {
        try (RawHttp http = new RawHttp(port())) {
            String request = "POST /ojs/v1/jobs HTTP/1.0\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                    + "Content-Length: " + JOB.length() + "\r\n\r\n" + JOB;
            for (int i = 0; i < request.length(); i++) http.send(request.substring(i, i + 1));

            assertThat(http.read().status()).isEqualTo(201);
            assertThat(http.isClosed()).isTrue();
        }
    }

    @Test
    void in_an_older_http_cannot_have_a_stream() throws IOException {
        try (RawHttp http = new RawHttp(port())) {
            http.send("GET /ojs/v1/events/stream HTTP/1.0\r\n\r\n");

            RawHttp.Response got = http.read();
            assertThat(got.status()).isEqualTo(505);
            assertThat(got.body()).contains("proxy_http_version");
            assertThat(given.streams.open()).isZero();
        }
    }
}
