package io.floodgate.standalone;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Base64;

/** A codec server (OJS encryption §9) that decodes everything to the same arguments, for those who have the token. */
final class CodecServer implements AutoCloseable {
    static final String TOKEN = "let-me-see";

    private static final String PLAIN = "[{\"card\":\"4242 & <b>\"}]";

    private final HttpServer server;
    private volatile String asked = "";

    CodecServer() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/codec/decode", this::decode);
        server.start();
    }

    URI url() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    /** The body of the last request with the token. */
    String asked() {
        return asked;
    }

    private void decode(HttpExchange exchange) throws IOException {
        try (exchange) {
            Headers headers = exchange.getResponseHeaders();
            headers.set("Access-Control-Allow-Origin", "*");
            headers.set("Access-Control-Allow-Headers", "authorization,content-type");
            if (exchange.getRequestMethod().equals("OPTIONS")) {
                exchange.sendResponseHeaders(204, -1);
            } else if (!("Bearer " + TOKEN).equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
                exchange.sendResponseHeaders(401, -1);
            } else {
                asked = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
                byte[] answer = "{\"payloads\":[{\"data\":\"%s\",\"metadata\":{\"encoding\":\"json/plain\"}}]}"
                        .formatted(Base64.getEncoder().encodeToString(PLAIN.getBytes(UTF_8)))
                        .getBytes(UTF_8);
                exchange.sendResponseHeaders(200, answer.length);
                exchange.getResponseBody().write(answer);
            }
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
