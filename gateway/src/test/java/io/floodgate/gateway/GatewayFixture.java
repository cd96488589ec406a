package io.floodgate.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.gateway.access.Authenticator;
import io.floodgate.gateway.connection.Peer.Limits;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A gateway on a real socket in front of fake logs. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class GatewayFixture {
    /** Long enough for a busy machine: tests of these limits let the time {@link #passForCallers pass}. */
    protected static final Duration SENDING = Duration.ofSeconds(30);

    public static final String JSON = "application/openjobspec+json";

    private static final JsonMapper STRICT = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    /** What came back. */
    public record Got(int status, Map<String, String> headers, String body) {
        /** Strictly: no answer may have a key twice. */
        public JsonNode json() {
            return STRICT.readTree(body);
        }

        /** A value inside the body, by its JSON pointer. */
        public JsonNode at(String pointer) {
            return json().at(pointer);
        }

        public void answers(int expected) {
            assertThat(status).as(body).isEqualTo(expected);
        }

        public void answers(int expected, String json, Object... values) {
            answers(expected);
            answers(json, values);
        }

        /** See {@link GatewayFixture#answers(JsonNode, String, Object...)}. */
        public void answers(String json, Object... values) {
            GatewayFixture.answers(json(), json, values);
        }

        public String header(String name) {
            return headers.get(name.toLowerCase(java.util.Locale.ROOT));
        }
    }

    /**
     * Fails unless an answer has these members. It may have others, and its lists may go on.
     *
     * @param expected JSON, with single quotes unless it has double ones
     * @param values of its format specifiers
     */
    @SuppressWarnings("AnnotateFormatMethod") // without values it is not a format
    protected static void answers(JsonNode answer, String expected, Object... values) {
        String json = values.length == 0 ? expected : expected.formatted(values);
        compare(STRICT.readTree(json.contains("\"") ? json : json.replace('\'', '"')), answer, "", answer);
    }

    private static void compare(JsonNode expected, JsonNode found, String pointer, JsonNode answer) {
        for (Map.Entry<String, JsonNode> member : expected.properties())
            compare(member.getValue(), found.path(member.getKey()), pointer + "/" + member.getKey(), answer);
        for (int i = 0; i < expected.size() && expected.isArray(); i++)
            compare(expected.get(i), found.path(i), pointer + "/" + i, answer);
        if (expected.isNumber() && found.isNumber())
            assertThat(found.decimalValue()).as(pointer).isEqualByComparingTo(expected.decimalValue());
        else if (expected.isValueNode())
            assertThat(found).as("%s of %s", pointer, answer).isEqualTo(expected);
    }

    protected final TestApi given;
    protected final FakePartitions logs;
    private final HttpClient http = HttpClient.newHttpClient();
    private final AtomicLong passed = new AtomicLong();
    private final Limits limits =
            new Limits(SENDING, SENDING, SENDING.multipliedBy(2), () -> System.nanoTime() + passed.get());
    private HttpServer server;

    protected GatewayFixture() {
        this(new TestApi());
    }

    protected GatewayFixture(TestApi given) {
        this.given = given;
        logs = given.logs;
    }

    protected boolean testMode() {
        return false;
    }

    protected Duration defaultWait() {
        return GatewayConfig.DEFAULT_WAIT;
    }

    protected GatewayConfig.Services services() {
        return GatewayConfig.Services.NONE;
    }

    /** By default, no key is needed. */
    protected Authenticator callers() {
        return Authenticator.OPEN;
    }

    @BeforeAll
    void startServer() {
        var config = TestApi.config(testMode(), defaultWait(), services());
        server = HttpServer.start(
                config, given.dispatcher(config, callers()), given.parts, Duration.ofSeconds(1), limits);
    }

    @AfterAll
    void stopServer() {
        given.events.close();
        server.close();
        http.close();
    }

    @BeforeEach
    void forget() {
        logs.reset();
        given.table.clear();
        given.owners.clear();
        given.pass(Duration.ofSeconds(1));
        given.events.clear();
        given.closing.set(false);
        given.loaded.set(true);
    }

    /** For callers, whose time to send and to receive is bounded; late callers are cut off. */
    protected void passForCallers(Duration time) {
        passed.addAndGet(time.toNanos());
        server.sweep();
    }

    protected int port() {
        return server.port();
    }

    protected Got get(String path, String... headers) {
        return send("GET", path, null, headers);
    }

    protected Got post(String path, String body, String... headers) {
        return send("POST", path, body, headers);
    }

    protected Got delete(String path, String... headers) {
        return send("DELETE", path, null, headers);
    }

    protected Got send(String method, String path, String body, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                .timeout(Duration.ofSeconds(20))
                .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        if (body != null) request.setHeader("Content-Type", JSON);
        for (int i = 0; i < headers.length; i += 2) request.setHeader(headers[i], headers[i + 1]);
        return send(request.build());
    }

    protected Got send(HttpRequest request) {
        try {
            HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
            Map<String, String> headers = new java.util.TreeMap<>();
            response.headers().map().forEach((name, values) -> headers.put(name, String.join(", ", values)));
            return new Got(response.statusCode(), headers, response.body());
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Waits until something has happened, without a guess at how long it takes. */
    protected static void await(BooleanSupplier happened) {
        if (!awaitAtMost(Duration.ofSeconds(60), happened)) throw new AssertionError("it did not happen");
    }

    /** Whether it happened within that time. */
    protected static boolean awaitAtMost(Duration time, BooleanSupplier happened) {
        long deadline = System.nanoTime() + time.toNanos();
        while (!happened.getAsBoolean()) {
            if (System.nanoTime() > deadline) return false;
            LockSupport.parkNanos(5_000_000);
        }
        return true;
    }
}
