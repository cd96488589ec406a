package io.floodgate.bench.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A server in this process that sends back what it gets: with a length, chunked, or as an error. */
public final class EchoHttpServer implements AutoCloseable {
    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    public EchoHttpServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/echo", exchange -> answer(exchange, 200, false));
        server.createContext("/chunked", exchange -> answer(exchange, 200, true));
        server.createContext("/who", EchoHttpServer::who);
        server.createContext("/refuse", exchange -> answer(exchange, 503, false));
        server.createContext("/ojs/v1/jobs", exchange -> answer(exchange, 201, false));
        server.start();
    }

    private static void answer(HttpExchange exchange, int status, boolean chunked) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(status, chunked ? 0 : body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private static void who(HttpExchange exchange) throws IOException {
        try (exchange) {
            String key = exchange.getRequestHeaders().getFirst("Authorization");
            byte[] body = String.valueOf(key).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    public HttpTarget target() {
        return HttpTarget.parse("http://127.0.0.1:" + server.getAddress().getPort());
    }

    @Override
    public void close() {
        server.stop(0);
        threads.close();
    }
}
