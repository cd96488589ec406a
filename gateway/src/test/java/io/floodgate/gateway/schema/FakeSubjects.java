package io.floodgate.gateway.schema;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.floodgate.topics.json.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Answers as a registry of Confluent does. */
final class FakeSubjects implements AutoCloseable {
    private final HttpServer server;
    private final Map<String, Object> answers = new ConcurrentHashMap<>();
    private volatile @Nullable String needed;
    private volatile @Nullable String broken;

    FakeSubjects() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
        server.createContext("/", this::answer);
        server.start();
    }

    URI url() {
        return URI.create(
                "http://127.0.0.1:%d/registry/".formatted(server.getAddress().getPort()));
    }

    /** @param more such as {@code schemaType} and {@code references} */
    void has(String subject, int version, String schema, Map<String, Object> more) {
        Map<String, Object> answer = new TreeMap<>(
                Map.of("subject", subject, "version", version, "id", 100_000 + version, "schema", schema));
        answer.putAll(more);
        answers.put("/registry/subjects/%s/versions/%d".formatted(subject, version), answer);
        answers.put("/registry/subjects/%s/versions/latest".formatted(subject), answer);
    }

    /** From now on only callers with this header are answered. */
    void needs(String authorization) {
        needed = authorization;
    }

    /** From now on it answers with this, whatever is asked for. */
    void answersWith(String text) {
        broken = text;
    }

    private void answer(HttpExchange exchange) throws IOException {
        Object answer = answers.get(exchange.getRequestURI().getPath());
        String header = exchange.getRequestHeaders().getFirst("Authorization");
        boolean isKnown = needed == null || needed.equals(header);
        int status = !isKnown ? 401 : answer == null ? 404 : 200;
        String text = broken != null
                ? broken
                : status == 200 ? Json.MAPPER.writeValueAsString(answer) : "{\"error_code\":40401,\"message\":\"no\"}";
        byte[] body = text.getBytes(UTF_8);
        exchange.sendResponseHeaders(broken != null ? 200 : status, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    /** As at the beginning: it has nothing, and answers all. */
    void forget() {
        answers.clear();
        needed = null;
        broken = null;
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
