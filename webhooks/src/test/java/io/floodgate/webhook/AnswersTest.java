package io.floodgate.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.webhook.WebhookAnswer.Answered;
import io.floodgate.webhook.WebhookAnswer.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class AnswersTest extends EndpointFixture {
    @Test
    void the_receiver_gets_headers_and_body_and_nothing_that_it_was_not_meant_to() throws Exception {
        Receiver receiver = receiver(Receiver.ok());
        name("receiver.example", ALLOWED);
        answered(endpoint(), receiver.url("receiver.example", "//a/../b?token=1&x=%2F"));
        Receiver.Request request = receiver.requests().getFirst();
        assertThat(request.line()).isEqualTo("POST //a/../b?token=1&x=%2F HTTP/1.1");
        assertThat(request.text()).isEqualTo("{}");
        assertThat(request.headers())
                .containsEntry("Host", "receiver.example:" + receiver.port())
                .containsEntry("Content-Type", "application/json")
                .containsEntry("X-Test", "1")
                .containsEntry("Accept-Encoding", "identity")
                .containsEntry("Content-Length", "2")
                .containsOnlyKeys("Host", "Content-Type", "X-Test", "Accept-Encoding", "Content-Length", "Connection");
        assertThat(request.headers()).containsEntry("Connection", "keep-alive");
    }

    @Test
    void a_host_may_have_an_underscore_and_a_header_is_one_line() throws Exception {
        Receiver receiver = receiver(Receiver.ok());
        name("my_host.example", ALLOWED);
        String url = receiver.url("my_host.example", "/hook");
        endpoint().post(url, Map.of("X-Test", "1\r\nX-Other: 2\n\nbody"), new byte[0], LONG);
        Receiver.Request request = receiver.requests().getFirst();
        assertThat(request.headers())
                .containsEntry("Host", "my_host.example:" + receiver.port())
                .containsKey("X-Test")
                .doesNotContainKey("X-Other");
        assertThat(request.text()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 201, 204, 299, 300, 304, 400, 401, 404, 407, 410, 429, 500, 503, 599})
    void every_status_is_an_answer_and_the_request_is_not_repeated(int status) throws Exception {
        Receiver receiver = receiver(Receiver.answering(
                status + " Any",
                "WWW-Authenticate: Basic realm=\"a\"\r\nProxy-Authenticate: Basic realm=\"a\"\r\nSet-Cookie: a=b\r\n",
                status == 204 || status == 304 ? "" : "text"));
        WebhookEndpoint endpoint = endpoint();
        Answered answer = answered(endpoint, receiver.url());
        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.took()).isPositive();
        assertThat(answer.retryAfter()).isNull();
        answered(endpoint, receiver.url());
        assertThat(receiver.requests())
                .hasSize(2)
                .allSatisfy(request -> assertThat(request.headers())
                        .doesNotContainKeys("Cookie", "Authorization", "Proxy-Authorization"));
    }

    @ParameterizedTest
    @CsvSource({
        "0,PT0S",
        "120,PT2M",
        "86400,PT24H",
        "86401,PT24H",
        "99999999999999999999,PT24H",
        "' 5 ',PT5S",
        "'Sun, 15 Feb 2026 22:01:00 GMT',PT1M",
        "'Sun, 15 Feb 2026 21:00:00 GMT',PT0S",
        "'Fri, 15 Feb 2036 22:00:00 GMT',PT24H",
        "-1,",
        "1.5,",
        "soon,",
        "'',",
        "2026-02-15T22:00:01Z,"
    })
    void a_receiver_may_ask_for_a_while(String value, Duration expected) throws Exception {
        Receiver receiver = receiver(Receiver.answering("429 Slower", "Retry-After: " + value + "\r\n", ""));
        assertThat(answered(endpoint(), receiver.url()).retryAfter()).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"0,0", "1,1", "1024,1024", "1025,1024", "65536,1024", "65537,1024"})
    void an_excerpt_has_at_most_1_kib(int length, int expected) throws Exception {
        Receiver receiver = receiver(Receiver.answering("200 OK", "", "a".repeat(length)));
        assertThat(answered(endpoint(), receiver.url()).excerpt()).hasSize(expected);
    }

    @Test
    void a_compressed_answer_is_not_unpacked() throws Exception {
        Receiver receiver = receiver(Receiver.answering("200 OK", "Content-Encoding: gzip\r\n", "not gzip"));
        assertThat(answered(endpoint(), receiver.url()).excerpt()).asString().isEqualTo("not gzip");
    }

    @ParameterizedTest
    @ValueSource(ints = {301, 302, 303, 307, 308})
    void a_redirect_is_followed_by_the_same_post(int status) throws Exception {
        Receiver receiver = receiver((request, socket) -> {
            boolean isFirst = request.line().contains("/hook");
            (isFirst ? Receiver.redirecting(status, "../b?c#d") : Receiver.ok()).answer(request, socket);
        });
        assertThat(answered(endpoint(), receiver.url(ALLOWED, "/x/hook")).status())
                .isEqualTo(200);
        assertThat(receiver.requests()).hasSize(2).allSatisfy(request -> {
            assertThat(request.text()).isEqualTo("{}");
            assertThat(request.headers()).containsEntry("X-Test", "1");
        });
        assertThat(receiver.requests().getLast().line()).isEqualTo("POST /b?c HTTP/1.1");
    }

    @Test
    void at_most_3_redirects_are_followed() throws Exception {
        AtomicInteger left = new AtomicInteger(3);
        Receiver receiver = receiver((request, socket) -> {
            boolean isLast = left.getAndDecrement() <= 0;
            (isLast ? Receiver.ok() : Receiver.redirecting(307, "/again")).answer(request, socket);
        });
        WebhookEndpoint endpoint = endpoint();
        assertThat(answered(endpoint, receiver.url()).status()).isEqualTo(200);
        left.set(4);
        assertThat(failed(endpoint, receiver.url(), LONG).kind()).isEqualTo(Kind.REDIRECTS);
        assertThat(receiver.requests()).hasSize(4 + 4);
    }

    @Test
    void a_redirect_to_nowhere_is_the_answer() throws Exception {
        Receiver receiver = receiver(Receiver.answering("302 Found", "", ""));
        assertThat(answered(endpoint(), receiver.url()).status()).isEqualTo(302);
    }

    @Test
    void connections_are_used_again_unless_the_receiver_has_closed_them() throws Exception {
        CountDownLatch isClosed = new CountDownLatch(1);
        Receiver receiver = receiver((request, socket) -> {
            Receiver.ok().answer(request, socket);
            if (request.line().contains("/last")) {
                socket.close();
                isClosed.countDown();
            }
        });
        WebhookEndpoint endpoint = endpoint();
        answered(endpoint, receiver.url());
        answered(endpoint, receiver.url(ALLOWED, "/last"));
        assertThat(receiver.connections()).isEqualTo(1);
        isClosed.await();
        answered(endpoint, receiver.url());
        assertThat(receiver.connections()).isEqualTo(2);
    }

    @Test
    void the_next_address_of_a_host_is_tried_if_there_is_no_connection() throws Exception {
        Receiver receiver = receiver(Receiver.ok());
        name("two.example", "127.0.0.9", ALLOWED);
        WebhookEndpoint endpoint = endpoint(targets(true, "127.0.0.0/8"), this::resolve);
        answered(endpoint, receiver.url("two.example", "/hook"));
    }

    @Test
    void many_posts_to_a_host_share_8_connections() throws Exception {
        AtomicInteger atOnce = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        CountDownLatch eight = new CountDownLatch(8);
        Receiver receiver = receiver((request, socket) -> {
            most.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
            eight.countDown();
            eight.await();
            atOnce.decrementAndGet();
            Receiver.answering("200 OK", "", request.text()).answer(request, socket);
        });
        WebhookEndpoint endpoint = endpoint();
        List<Future<WebhookAnswer>> answers = new ArrayList<>();
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 200; i++) answers.add(callers.submit(() -> post(endpoint, receiver.url(), LONG)));
        }
        for (Future<WebhookAnswer> answer : answers)
            assertThat(answer.get())
                    .isInstanceOfSatisfying(
                            Answered.class,
                            each -> assertThat(each.excerpt()).asString().isEqualTo("{}"));
        assertThat(most).hasValue(8);
        assertThat(receiver.connections()).isEqualTo(8);
    }
}
