package io.floodgate.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.floodgate.topics.circuit.BreakerState;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What goes over the wire, and what is made of answers. */
final class HttpTransportTest {
    private static final OutgoingJob.Ids IDS = new OutgoingJob.Ids(() -> 1_700_000_000_000L, () -> 1);
    private static final OutgoingJob JOB =
            OutgoingJob.of(Job.of("email.send", "ada").queue("email"), IDS);

    private record Request(String path, Map<String, List<String>> headers, String body) {}

    private interface Script {
        void answer(HttpExchange exchange) throws IOException;
    }

    private final BlockingQueue<Request> requests = new LinkedBlockingQueue<>();
    private HttpServer server;
    private HttpTransport transport;
    private volatile Script script = exchange -> respond(exchange, 201, "{}");

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
        server.createContext("/", exchange -> {
            requests.add(new Request(
                    exchange.getRequestURI().toString(),
                    exchange.getRequestHeaders(),
                    new String(exchange.getRequestBody().readAllBytes(), UTF_8)));
            script.answer(exchange);
            exchange.close();
        });
        server.start();
        transport = new HttpTransport(address(), () -> Map.of("Authorization", "Bearer t"), Duration.ZERO);
    }

    @AfterEach
    void stop() {
        transport.close();
        server.stop(0);
    }

    @Test
    void a_job_is_posted_as_it_is() throws Exception {
        assertThat(send(JOB)).isEqualTo(new SendResult.Stored(Optional.empty()));

        Request request = requests.take();
        assertThat(request.path()).isEqualTo("/ojs/v1/jobs");
        assertThat(request.body()).isEqualTo(JOB.text()).contains("\"id\":\"" + JOB.id());
        assertThat(request.headers())
                .containsEntry("Content-type", List.of("application/openjobspec+json"))
                .containsEntry("Authorization", List.of("Bearer t"))
                .doesNotContainKey("Ojs-block-timeout");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "localhost:8080", "ftp://localhost", "http:/ojs", "no address"})
    void what_is_no_address_is_rejected_at_once(String address) {
        assertThatThrownBy(() -> Producer.http(address)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void several_jobs_are_posted_as_a_batch() throws Exception {
        assertThat(send(JOB, JOB)).isInstanceOf(SendResult.Stored.class);

        Request request = requests.take();
        assertThat(request.path()).isEqualTo("/ojs/v1/jobs/batch");
        assertThat(request.body()).isEqualTo("{\"jobs\":[" + JOB.text() + "," + JOB.text() + "]}");
    }

    @Test
    void the_server_may_wait_for_room_if_it_is_configured_to() throws Exception {
        transport.close();
        transport = new HttpTransport(address(), Map::of, Duration.ofMillis(2_500));

        send(JOB);

        assertThat(requests.take().headers()).containsEntry("Ojs-block-timeout", List.of("2.5"));
    }

    @Test
    void the_warning_headers_are_read() {
        script = exchange -> {
            exchange.getResponseHeaders().add("X-OJS-Queue-Depth", "42000");
            exchange.getResponseHeaders().add("X-OJS-Queue-Bound", "50000");
            exchange.getResponseHeaders().add("X-OJS-Queue-Pressure", "0.84");
            respond(exchange, 201, "{}");
        };

        assertThat(send(JOB))
                .isEqualTo(new SendResult.Stored(Optional.of(new QueuePressure("email", 42_000, 50_000, 0.84))));
    }

    @Test
    void a_full_queue_says_how_full_and_until_when() {
        script = exchange -> {
            exchange.getResponseHeaders().add("Retry-After", "5");
            respond(exchange, 429, """
                    {"error": {"code": "QUEUE_FULL", "message": "Full.", "retryable": true,
                               "details": {"queue": "email", "depth": 50, "bound": 50}},
                     "code": "OJS_RATE_LIMITED", "retryable": true}""");
        };

        assertThat(send(JOB))
                .isEqualTo(new SendResult.Rejected(
                        "QUEUE_FULL",
                        "Full.",
                        true,
                        true,
                        Optional.of(Duration.ofSeconds(5)),
                        Map.of("queue", "email", "depth", "50", "bound", "50")));
    }

    @Test
    void the_page_of_the_site_shows_another_body_which_is_understood_too() {
        script = exchange -> respond(exchange, 429, "{\"code\": \"OJS_RATE_LIMITED\", \"retryable\": true}");

        assertThat(send(JOB)).isInstanceOfSatisfying(SendResult.Rejected.class, rejected -> {
            assertThat(rejected.backpressure()).isTrue();
            assertThat(rejected.retryable()).isTrue();
        });
    }

    @Test
    void what_never_fits_is_not_to_be_tried_again() {
        script = exchange -> respond(
                exchange, 429, "{\"error\": {\"code\": \"QUEUE_FULL\", \"message\": \"\", \"retryable\": false}}");

        assertThat(send(JOB))
                .isInstanceOfSatisfying(
                        SendResult.Rejected.class,
                        rejected -> assertThat(rejected.retryable()).isFalse());
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 409, 413, 422})
    void a_rejection_has_its_code_and_what_is_wrong(int status) {
        script = exchange -> respond(
                exchange,
                status,
                "{\"error\": {\"code\": \"invalid_request\", \"message\": \"No.\", \"retryable\": false, \"details\": {\"field\": \"args\"}}}");

        assertThat(send(JOB))
                .isEqualTo(new SendResult.Rejected(
                        "invalid_request", "No.", false, false, Optional.empty(), Map.of("field", "args")));
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 201, 204, 301, 400, 401, 403, 404, 407, 502, 504})
    void a_client_that_does_not_speak_ojs_decides_nothing_about_a_job(int status) {
        script = exchange -> respond(exchange, status, status == 204 ? "" : "<html>Who are you?</html>");

        assertThat(send(JOB)).isInstanceOfSatisfying(SendResult.Unavailable.class, none -> {
            assertThat(none.code()).isEqualTo("client_no_answer");
            assertThat(none.unknown()).isEqualTo(status >= 500);
        });
    }

    @ParameterizedTest
    @CsvSource({"403, PERMISSION_DENIED", "404, QUEUE_NOT_FOUND"})
    void a_queue_that_is_not_there_or_not_for_this_producer_is_a_definite_no(int status, String code) {
        script = exchange -> respond(exchange, status, error(code, "{\"queue\": \"email\"}"));

        assertThat(send(JOB))
                .isEqualTo(
                        new SendResult.Rejected(code, "No.", false, false, Optional.empty(), Map.of("queue", "email")));
    }

    @ParameterizedTest
    @CsvSource({
        "401, unauthenticated, {}",
        "403, PERMISSION_DENIED, '{\"header\": \"Host\"}'",
        "404, not_found, {}",
        "408, request_timeout, {}"
    })
    void what_keeps_out_every_job_alike_decides_nothing_about_one(int status, String code, String details) {
        script = exchange -> respond(exchange, status, error(code, details));

        assertThat(send(JOB)).isEqualTo(new SendResult.Unavailable(code, "No.", false, Optional.empty()));
    }

    private static String error(String code, String details) {
        return "{\"error\": {\"code\": \"%s\", \"message\": \"No.\", \"retryable\": false, \"details\": %s}}"
                .formatted(code, details);
    }

    @Test
    void a_submitted_job_for_a_queue_that_is_not_there_closes_the_way_for_no_other() throws Exception {
        script = exchange -> {
            boolean typo = requests.remove().body().contains("typo");
            respond(exchange, typo ? 404 : 201, typo ? error("QUEUE_NOT_FOUND", "{}") : "{}");
        };
        List<String> givenUp = new CopyOnWriteArrayList<>();
        try (Producer producer = Producer.http(address().toString())
                .listener(new ProducerListener() {
                    @Override
                    public void rejected(Job job, EnqueueFailed why) {
                        givenUp.add(why.code());
                    }
                })
                .build()) {
            for (int i = 0; i < 6; i++) producer.submit(Job.of("email.send").queue("typo"));
            assertThat(producer.flush(Duration.ofSeconds(30))).isTrue();

            assertThat(producer.breaker(ProducerListener.SERVER)).isEqualTo(BreakerState.CLOSED);
            assertThat(givenUp).hasSize(6).containsOnly("QUEUE_NOT_FOUND");
            assertThat(producer.enqueue(Job.of("email.send").queue("email")).wasThere())
                    .isFalse();
            assertThatThrownBy(() -> producer.enqueue(Job.of("email.send").queue("typo")))
                    .isExactlyInstanceOf(JobRejected.class);
        }
    }

    @Test
    void a_server_that_cannot_serve_says_what_became_of_the_job() {
        script = exchange -> {
            exchange.getResponseHeaders().add("Retry-After", "2");
            respond(exchange, 503, unavailable("not_executed"));
        };
        assertThat(send(JOB))
                .isEqualTo(new SendResult.Unavailable(
                        "BACKEND_UNAVAILABLE", "Busy.", false, Optional.of(Duration.ofSeconds(2))));

        script = exchange -> respond(exchange, 503, unavailable("unknown"));
        assertThat(send(JOB))
                .isEqualTo(new SendResult.Unavailable("BACKEND_UNAVAILABLE", "Busy.", true, Optional.empty()));
    }

    private static String unavailable(String outcome) {
        return "{\"error\": {\"code\": \"BACKEND_UNAVAILABLE\", \"message\": \"Busy.\", \"details\": {\"outcome\": \"%s\"}}}"
                .formatted(outcome);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1e300", "Infinity", "999999999999999999999"})
    void a_server_that_wants_to_be_left_alone_for_ever_is_left_alone_for_an_hour(String retryAfter) {
        script = exchange -> {
            exchange.getResponseHeaders().add("Retry-After", retryAfter);
            respond(exchange, 503, unavailable("not_executed"));
        };

        assertThat(send(JOB).retryAfter()).contains(Duration.ofHours(1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "NaN", "soon", "Wed, 21 Oct 2026 07:28:00 GMT"})
    void what_is_no_time_to_wait_is_none(String retryAfter) {
        script = exchange -> {
            exchange.getResponseHeaders().add("Retry-After", retryAfter);
            respond(exchange, 503, unavailable("not_executed"));
        };

        assertThat(send(JOB).retryAfter()).isEmpty();
    }

    @Test
    void a_connection_that_ends_leaves_the_outcome_open() {
        script = exchange -> {};

        assertThat(send(JOB))
                .isInstanceOfSatisfying(
                        SendResult.Unavailable.class,
                        none -> assertThat(none.unknown()).isTrue());
    }

    @Test
    void a_server_that_is_not_there_has_stored_nothing() {
        server.stop(0);

        assertThat(send(JOB))
                .isInstanceOfSatisfying(
                        SendResult.Unavailable.class,
                        none -> assertThat(none.unknown()).isFalse());
    }

    @Test
    void an_answer_that_does_not_end_does_no_harm() {
        script = exchange -> respond(exchange, 400, "x".repeat(1_000_000));

        assertThat(send(JOB))
                .isInstanceOfSatisfying(
                        SendResult.Unavailable.class,
                        none -> assertThat(none.message()).hasSizeLessThan(500));
    }

    private SendResult send(OutgoingJob... jobs) {
        return transport
                .send(new PendingCommand(List.of(jobs)))
                .orTimeout(30, TimeUnit.SECONDS)
                .join();
    }

    private URI address() {
        return URI.create("http://127.0.0.1:%d/".formatted(server.getAddress().getPort()));
    }

    private static void respond(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(UTF_8);
        exchange.getResponseHeaders()
                .set("Content-Type", body.startsWith("{") ? "application/openjobspec+json" : "text/html");
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
    }
}
