package io.floodgate.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.webhook.WebhookAnswer.Answered;
import io.floodgate.webhook.WebhookAnswer.Failed;
import io.floodgate.webhook.WebhookAnswer.Kind;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class HostileReceiversTest extends EndpointFixture {
    private final CountDownLatch isOver = new CountDownLatch(1);

    @AfterEach
    void end() {
        isOver.countDown();
    }

    private Failed late(String url) throws Exception {
        Failed failed = failed(endpoint(), url, SHORT);
        assertThat(failed.kind()).isEqualTo(Kind.TIMEOUT);
        assertThat(failed.message()).contains("300 ms");
        return failed;
    }

    /** Writes this again and again, slowly, until the client has gone. */
    private Receiver dripping(String first, String drop) throws Exception {
        return receiver((request, socket) -> {
            Receiver.send(socket, first);
            while (!isOver.await(20, TimeUnit.MILLISECONDS)) Receiver.send(socket, drop);
        });
    }

    private Receiver endless(String first, String more, AtomicReference<Exception> end) throws Exception {
        return receiver((request, socket) -> {
            Receiver.send(socket, first);
            try {
                while (isOver.getCount() > 0) Receiver.send(socket, more);
            } catch (Exception e) {
                end.set(e);
            }
        });
    }

    @Test
    void one_that_never_answers_is_late() throws Exception {
        CompletableFuture<Boolean> hasEnded = new CompletableFuture<>();
        Receiver receiver = receiver((request, socket) -> hasEnded.complete(ends(socket)));
        late(receiver.url());
        assertThat(hasEnded.get(20, TimeUnit.SECONDS)).isTrue();
    }

    /** Reads until the client has ended the connection. */
    private static boolean ends(Socket socket) throws Exception {
        socket.setSoTimeout(20_000);
        try {
            socket.getInputStream().readAllBytes();
            return true;
        } catch (SocketException e) {
            return true; // It was reset.
        } catch (SocketTimeoutException e) {
            return false;
        }
    }

    @Test
    void one_that_does_not_read_is_late() throws Exception {
        ServerSocket silent = closing(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()));
        WebhookEndpoint endpoint = endpoint();
        String url = "http://127.0.0.1:" + silent.getLocalPort() + "/hook";
        WebhookAnswer answer = endpoint.post(url, java.util.Map.of(), new byte[50_000_000], SHORT);
        assertThat(answer)
                .isInstanceOfSatisfying(
                        Failed.class, failed -> assertThat(failed.kind()).isEqualTo(Kind.TIMEOUT));
    }

    @Test
    void one_that_does_not_accept_is_late() throws Exception {
        ServerSocket full = closing(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
        fill(full);
        late("http://127.0.0.1:" + full.getLocalPort() + "/hook");
    }

    private void fill(ServerSocket server) throws Exception {
        while (true) {
            Socket socket = closing(new Socket());
            try {
                socket.connect(server.getLocalSocketAddress(), 200);
            } catch (SocketTimeoutException e) {
                return;
            }
        }
    }

    @Test
    void one_that_does_not_shake_hands_is_late() throws Exception {
        ServerSocket silent = closing(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()));
        late("https://127.0.0.1:" + silent.getLocalPort() + "/hook");
        try (Socket given = silent.accept()) {
            assertThat(ends(given)).isTrue();
        }
    }

    @Test
    void one_that_sends_its_headers_slowly_is_late() throws Exception {
        late(dripping("HTTP/1.1 200 OK\r\nX-Slow: ", "a").url());
    }

    @Test
    void one_that_sends_its_body_slowly_is_late() throws Exception {
        late(dripping("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n", "a").url());
        late(dripping("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "1\r\na\r\n")
                .url());
        late(dripping("HTTP/1.1 200 OK\r\n\r\n", "a").url());
    }

    @Test
    void one_that_announces_an_answer_forever_is_late() throws Exception {
        late(dripping("", "HTTP/1.1 103 Early Hints\r\n\r\n").url());
    }

    @Test
    void redirects_have_one_deadline_together() throws Exception {
        Receiver receiver = receiver((request, socket) -> {
            isOver.await(200, TimeUnit.MILLISECONDS);
            Receiver.redirecting(307, "/next").answer(request, socket);
        });
        late(receiver.url());
        assertThat(receiver.requests()).hasSizeLessThanOrEqualTo(2);
    }

    @Test
    void a_slow_dns_is_late_and_nothing_is_sent_when_it_answers_after_all() throws Exception {
        Receiver receiver = receiver(Receiver.ok());
        CountDownLatch answers = new CountDownLatch(1);
        AtomicReference<Thread> asking = new AtomicReference<>();
        WebhookEndpoint endpoint = endpoint(targets(true, ALLOWED + "/32"), host -> {
            asking.set(Thread.currentThread());
            awaitUninterruptibly(answers);
            return new InetAddress[] {InetAddress.getLoopbackAddress()};
        });
        assertThat(failed(endpoint, receiver.url("slow.example", "/hook"), SHORT)
                        .kind())
                .isEqualTo(Kind.TIMEOUT);
        answers.countDown();
        asking.get().join();
        assertThat(receiver.connections()).isZero();
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void a_caller_that_is_interrupted_goes_on() throws Exception {
        Receiver receiver = receiver((request, socket) -> isOver.await());
        WebhookEndpoint endpoint = endpoint();
        Thread.currentThread().interrupt();
        assertThat(failed(endpoint, receiver.url(), LONG).message()).contains("interrupted");
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void closing_ends_what_is_under_way() throws Exception {
        WebhookEndpoint endpoint = endpoint();
        Receiver receiver = receiver((request, socket) -> {
            endpoint.close();
            isOver.await();
        });
        assertThat(failed(endpoint, receiver.url(), LONG).kind()).isEqualTo(Kind.CONNECTION);
        assertThat(failed(endpoint, receiver.url(), LONG).kind()).isEqualTo(Kind.CONNECTION);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "SSH-2.0-OpenSSH_9.9\r\n",
                "HTTP/1.1 abc OK\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab"
            })
    void one_that_closes_too_early_has_not_answered(String text) throws Exception {
        Receiver receiver = receiver((request, socket) -> {
            Receiver.send(socket, text);
            socket.close();
        });
        assertThat(failed(endpoint(), receiver.url(), LONG).kind()).isEqualTo(Kind.CONNECTION);
        assertThat(receiver.requests()).hasSize(1);
    }

    @Test
    void a_port_without_a_server_and_a_host_without_an_address_fail() throws Exception {
        Receiver receiver = receiver(Receiver.ok());
        receiver.close();
        Failed failed = failed(endpoint(), receiver.url(ALLOWED, "/hook?token=1"), LONG);
        assertThat(failed.kind()).isEqualTo(Kind.CONNECTION);
        assertThat(failed.message()).contains("127.0.0.1:" + receiver.port());
        name("empty.example");
        for (String host : List.of("unknown.example", "empty.example"))
            assertThat(failed(endpoint(), "http://" + host + "/hook", LONG).kind())
                    .isEqualTo(Kind.DNS);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/9.9 200 OK\r\n\r\n",
                "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-5\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n",
                "HTTP/1.1 101 Switching Protocols\r\nUpgrade: TLS/1.2\r\nConnection: Upgrade\r\n\r\n"
            })
    void one_that_does_not_speak_http_is_not_understood(String text) throws Exception {
        Receiver receiver = receiver((request, socket) -> {
            Receiver.send(socket, text);
            socket.shutdownOutput();
            isOver.await();
        });
        assertThat(failed(endpoint(), receiver.url(), LONG).kind()).isEqualTo(Kind.PROTOCOL);
    }

    @Test
    void headers_without_an_end_are_not_read() throws Exception {
        AtomicReference<Exception> end = new AtomicReference<>();
        List<Receiver> receivers = new ArrayList<>();
        receivers.add(endless("HTTP/1.1 200 OK\r\nX-Long: ", "a".repeat(1000), end));
        receivers.add(endless("HTTP/1.1 200 OK\r\n", "X-Many: a\r\n".repeat(100), end));
        receivers.add(endless("HTTP/1.1 200 OK\r\nX-Folded: a\r\n", " a\r\n".repeat(100), end));
        receivers.add(endless("HTTP/1.1 200 ", "a".repeat(1000), end));
        receivers.add(endless("", "\r\n".repeat(100), end));
        receivers.add(endless(
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n", "X-Many: a\r\n".repeat(100), end));
        receivers.add(endless("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;", "a".repeat(1000), end));
        for (Receiver receiver : receivers)
            assertThat(failed(endpoint(), receiver.url(), LONG).kind()).isEqualTo(Kind.PROTOCOL);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 999999999999\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffff\r\n"
            })
    void a_body_without_an_end_is_not_read_and_its_connection_is_closed(String first) throws Exception {
        AtomicReference<Exception> end = new AtomicReference<>();
        CountDownLatch hasEnded = new CountDownLatch(1);
        Receiver receiver = receiver((request, socket) -> {
            Receiver.send(socket, first);
            try {
                while (true) Receiver.send(socket, "a".repeat(10_000));
            } catch (Exception e) {
                end.set(e);
                hasEnded.countDown();
            }
        });
        Answered answer = answered(endpoint(), receiver.url());
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.excerpt()).hasSize(1024);
        hasEnded.await();
        assertThat(end.get()).isInstanceOf(java.io.IOException.class);
    }
}
