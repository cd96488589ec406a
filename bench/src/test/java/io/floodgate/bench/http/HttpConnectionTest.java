package io.floodgate.bench.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HttpConnectionTest {
    private EchoHttpServer server;
    private HttpConnection connection;

    @BeforeEach
    void start() throws IOException {
        server = new EchoHttpServer();
        connection = new HttpConnection(server.target(), Duration.ofSeconds(20));
    }

    @AfterEach
    void stop() {
        connection.close();
        server.close();
    }

    @Test
    void many_requests_share_a_connection() throws IOException {
        for (int i = 0; i < 100; i++) {
            byte[] body = ("request " + i).getBytes(StandardCharsets.UTF_8);
            assertThat(connection.post("/echo", body, 200)).isEqualTo(body);
            assertThat(connection.post("/chunked", body, 200)).isEqualTo(body);
        }
    }

    @Test
    void a_key_goes_with_each_request_and_shows_in_no_report() throws IOException {
        HttpTarget target = server.target().with(" fg_a_b ");
        try (HttpConnection asking = new HttpConnection(target, Duration.ofSeconds(20))) {
            assertThat(asking.get("/who", 200)).asString().isEqualTo("Bearer fg_a_b");
        }
        assertThat(connection.get("/who", 200)).asString().isEqualTo("null");
        assertThat(target.toString()).doesNotContain("fg_a_b");
        assertThat(server.target().with("").key()).isNull();
    }

    @Test
    void large_bodies_go_both_ways() throws IOException {
        byte[] body = new byte[3_000_000];
        assertThat(connection.post("/echo", body, 200)).hasSize(body.length);
        assertThat(connection.post("/chunked", body, 200)).hasSize(body.length);
    }

    @Test
    void another_status_than_the_expected_one_is_an_error_that_shows_the_answer() {
        byte[] body = "no room".getBytes(StandardCharsets.UTF_8);
        assertThatThrownBy(() -> connection.post("/refuse", body, 201))
                .isInstanceOf(IOException.class)
                .hasMessage("POST /refuse was answered with 503: no room");
    }

    @Test
    void a_server_that_is_gone_is_an_error_and_the_next_request_connects_again() throws IOException {
        // given
        HttpTarget target = server.target();
        connection.get("/echo", 200);
        server.close();
        // when
        assertThatThrownBy(() -> connection.get("/echo")).isInstanceOf(IOException.class);
        // then
        try (ServerSocket other = new ServerSocket(target.port(), 1, InetAddress.getLoopbackAddress())) {
            Thread answering = Thread.startVirtualThread(() -> answerOnce(other));
            assertThat(connection.get("/echo").status()).isEqualTo(204);
            answering.interrupt();
        }
    }

    private static void answerOnce(ServerSocket listening) {
        try (var socket = listening.accept()) {
            socket.getInputStream().read(new byte[4_096]);
            socket.getOutputStream().write("HTTP/1.1 204 No Content\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
