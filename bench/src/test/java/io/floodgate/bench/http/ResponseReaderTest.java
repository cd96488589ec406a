package io.floodgate.bench.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ResponseReaderTest {
    @Test
    void a_body_has_the_length_that_its_header_says() throws IOException {
        HttpResponse response = read("HTTP/1.1 201 Created\r\nContent-Length: 5\r\n\r\nhello and more");
        assertThat(response.status()).isEqualTo(201);
        assertThat(response.text()).isEqualTo("hello");
        assertThat(response.keptAlive()).isTrue();
    }

    @Test
    void header_names_come_in_any_case() throws IOException {
        assertThat(read("HTTP/1.1 200 OK\r\ncOnTeNt-LeNgTh:2\r\n\r\nok").text()).isEqualTo("ok");
    }

    @Test
    void a_reason_is_not_needed() throws IOException {
        assertThat(read("HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n").status()).isEqualTo(200);
    }

    @Test
    void chunks_are_put_together() throws IOException {
        HttpResponse response = read(
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4;x=y\r\nWiki\r\nA\r\npedia in 1\r\n0\r\nTrailer: t\r\n\r\n");
        assertThat(response.text()).isEqualTo("Wikipedia in 1");
        assertThat(response.keptAlive()).isTrue();
    }

    @Test
    void responses_follow_each_other_on_one_connection() throws IOException {
        ResponseReader reader = reader(stream("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na"
                + "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nb\r\n0\r\n\r\n"
                + "HTTP/1.1 204 No Content\r\n\r\n"
                + "HTTP/1.1 404 Not Found\r\nContent-Length: 1\r\n\r\nc"));
        assertThat(reader.read().text()).isEqualTo("a");
        assertThat(reader.read().text()).isEqualTo("b");
        assertThat(reader.read().status()).isEqualTo(204);
        assertThat(reader.read().text()).isEqualTo("c");
    }

    @Test
    void it_makes_no_difference_in_what_pieces_a_response_comes() throws IOException {
        String text = "HTTP/1.1 200 OK\r\nA: b\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nWiki\r\n0\r\n\r\n"
                + "HTTP/1.1 201 Created\r\nContent-Length: 5\r\n\r\nhello";
        for (int piece = 1; piece < text.length(); piece++) {
            ResponseReader reader = reader(new Dripping(stream(text), piece));
            assertThat(reader.read().text()).isEqualTo("Wiki");
            assertThat(reader.read().text()).isEqualTo("hello");
        }
    }

    @Test
    void informational_responses_are_passed_over() throws IOException {
        assertThat(read("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
                        .status())
                .isEqualTo(200);
    }

    @Test
    void a_body_without_a_length_ends_with_the_connection() throws IOException {
        HttpResponse response = read("HTTP/1.1 200 OK\r\n\r\nall of this");
        assertThat(response.text()).isEqualTo("all of this");
        assertThat(response.keptAlive()).isFalse();
    }

    @Test
    void a_server_may_close_the_connection() throws IOException {
        assertThat(read("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
                        .keptAlive())
                .isFalse();
    }

    @Test
    void a_large_body_comes_whole() throws IOException {
        String body = "x".repeat(300_000);
        assertThat(read("HTTP/1.1 200 OK\r\nContent-Length: 300000\r\n\r\n" + body)
                        .body())
                .hasSize(300_000);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.0 200 OK\r\n\r\n",
                "HTTP/2 200\r\n\r\n",
                "ICY 200 OK\r\n\r\n",
                "HTTP/1.1 2x0 OK\r\n\r\n",
                "HTTP/1.1 099 No\r\n\r\n",
                "HTTP/1.1 2000 OK\r\n\r\n",
                "HTTP/1.1 200 OK\r\nnonsense\r\n\r\n",
                "HTTP/1.1 200 OK\r\n: empty\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: +1\r\n\r\nx",
                "HTTP/1.1 200 OK\r\nContent-Length: 1x\r\n\r\nx",
                "HTTP/1.1 200 OK\r\nContent-Length:\r\n\r\nx",
                "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\nx",
                "HTTP/1.1 200 OK\r\nContent-Length: 999999999999\r\n\r\nx",
                "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx",
                "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nabc\r\n0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFF\r\n"
            })
    void what_is_not_http_is_rejected(String text) {
        assertThatThrownBy(() -> read(text)).isInstanceOf(MalformedResponse.class);
    }

    @Test
    void a_response_that_breaks_off_anywhere_is_an_error() {
        String text = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
        for (int length = 0; length < text.length(); length++) {
            String part = text.substring(0, length);
            assertThatThrownBy(() -> read(part)).as(part).isInstanceOf(EOFException.class);
        }
    }

    @Test
    void a_chunked_response_that_breaks_off_anywhere_is_an_error() {
        String text = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nWiki\r\n0\r\n\r\n";
        for (int length = 0; length < text.length(); length++) {
            String part = text.substring(0, length);
            assertThatThrownBy(() -> read(part)).as(part).isInstanceOf(EOFException.class);
        }
    }

    @Test
    void a_head_without_end_is_rejected() {
        String text = "HTTP/1.1 200 OK\r\n" + "A: b\r\n".repeat(20_000) + "\r\n";
        assertThatThrownBy(() -> read(text)).isInstanceOf(MalformedResponse.class);
    }

    @Test
    void a_line_without_end_is_rejected() {
        String text = "HTTP/1.1 200 " + "x".repeat(100_000);
        assertThatThrownBy(() -> read(text)).isInstanceOf(MalformedResponse.class);
    }

    private static HttpResponse read(String text) throws IOException {
        return reader(stream(text)).read();
    }

    private static ResponseReader reader(InputStream in) {
        return new ResponseReader(in);
    }

    private static InputStream stream(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Gives a few bytes at a time. */
    private static final class Dripping extends InputStream {
        private final InputStream in;
        private final int piece;

        Dripping(InputStream in, int piece) {
            this.in = in;
            this.piece = piece;
        }

        @Override
        public int read() throws IOException {
            return in.read();
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            return in.read(bytes, offset, Math.min(length, piece));
        }
    }
}
