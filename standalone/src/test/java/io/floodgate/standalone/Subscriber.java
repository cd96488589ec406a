package io.floodgate.standalone;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** A receiver of webhooks, which answers with the status that a test sets. */
final class Subscriber implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** A request, by its headers and its body. */
    record Got(String path, String eventType, String delivery, String timestamp, String signature, byte[] body) {
        JsonNode event() {
            return JSON.readTree(body);
        }

        String subject() {
            return event().path("subject").stringValue("");
        }
    }

    private final HttpServer server;
    private final List<Got> got = new CopyOnWriteArrayList<>();
    private volatile int status = 200;

    Subscriber() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::handle);
        server.start();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            got.add(new Got(
                    exchange.getRequestURI().getPath(),
                    header(exchange, "X-OJS-Event-Type"),
                    header(exchange, "X-OJS-Delivery-ID"),
                    header(exchange, "X-OJS-Timestamp"),
                    header(exchange, "X-OJS-Signature"),
                    body));
            byte[] answer = "ok".getBytes(UTF_8);
            exchange.sendResponseHeaders(status, answer.length);
            exchange.getResponseBody().write(answer);
        }
    }

    private static String header(HttpExchange exchange, String name) {
        return String.valueOf(exchange.getRequestHeaders().getFirst(name));
    }

    String url(String path) {
        return "http://127.0.0.1:%d/%s".formatted(server.getAddress().getPort(), path);
    }

    void answers(int other) {
        status = other;
    }

    /** What has come to a path, in this order. */
    List<Got> got(String path) {
        return got.stream().filter(each -> each.path.equals("/" + path)).toList();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
