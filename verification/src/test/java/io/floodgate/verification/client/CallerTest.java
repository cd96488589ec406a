package io.floodgate.verification.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.verification.history.Answer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What callers may conclude from what they hear. */
class CallerTest {
    private final AtomicReference<String> answer = new AtomicReference<>();
    private ServerSocket listening;

    @BeforeEach
    void listen() throws IOException {
        listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Thread.startVirtualThread(this::answerOnce);
    }

    @AfterEach
    void close() throws IOException {
        listening.close();
    }

    @Test
    void success_is_an_answer() {
        assertThat(hear(response(201, "{\"job\":{\"id\":\"j1\"}}")).answer()).isEqualTo(Answer.OK);
    }

    @Test
    void what_the_caller_did_wrong_is_a_definite_no() {
        assertThat(hear(response(409, "{}")).answer()).isEqualTo(Answer.REJECTED);
    }

    @Test
    void unavailable_is_a_definite_no_only_if_it_says_so() {
        String body = "{\"error\":{\"details\":{\"outcome\":\"not_executed\"}}}";
        assertThat(hear(response(503, body)).answer()).isEqualTo(Answer.REJECTED);
    }

    @Test
    void unavailable_says_nothing_otherwise() {
        assertThat(hear(response(503, "{\"error\":{\"details\":{\"outcome\":\"unknown\"}}}"))
                        .answer())
                .isEqualTo(Answer.UNKNOWN);
    }

    @Test
    void an_error_of_the_server_says_nothing() {
        assertThat(hear(response(500, "oops")).answer()).isEqualTo(Answer.UNKNOWN);
    }

    @Test
    void an_answer_that_breaks_off_says_nothing() {
        assertThat(hear("HTTP/1.1 201 Created\r\nContent-Length: 100\r\n\r\n{").answer())
                .isEqualTo(Answer.UNKNOWN);
    }

    @Test
    void nothing_was_done_if_no_client_was_there() throws IOException {
        ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        other.close();
        Caller.Heard heard = call(other.getLocalPort());
        assertThat(heard.answer()).isEqualTo(Answer.REJECTED);
        assertThat(heard.status()).isZero();
    }

    private Caller.Heard hear(String text) {
        answer.set(text);
        return call(listening.getLocalPort());
    }

    private static Caller.Heard call(int port) {
        try (Caller caller = new Caller("http://127.0.0.1:" + port, Duration.ofSeconds(15))) {
            return caller.call("POST", "/", new byte[0]);
        }
    }

    private static String response(int status, String body) {
        return "HTTP/1.1 %d X\r\nContent-Length: %d\r\n\r\n%s".formatted(status, body.length(), body);
    }

    private void answerOnce() {
        try (var socket = listening.accept()) {
            socket.getInputStream().read(new byte[4_096]);
            socket.getOutputStream().write(answer.get().getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            // the test is over
        }
    }
}
