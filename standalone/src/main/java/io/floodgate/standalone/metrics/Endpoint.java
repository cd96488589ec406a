package io.floodgate.standalone.metrics;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** The HTTP port of a role without an HTTP API: {@code /health}, {@code /ready} and {@code /metrics}. */
public final class Endpoint implements AutoCloseable {
    private final HttpServer server;
    /** Number of waiting requests from which connections are not accepted until there are fewer. */
    private static final int MOST_WAITING = 100;

    private final ExecutorService executor = new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(MOST_WAITING),
            Thread.ofPlatform().name("floodgate-endpoint").daemon().factory(),
            new ThreadPoolExecutor.CallerRunsPolicy());

    private Endpoint(HttpServer server, BooleanSupplier ready, Supplier<String> details, Supplier<String> metrics) {
        this.server = server;
        server.createContext("/health", exchange -> answer(exchange, 200, "application/json", "{\"status\":\"ok\"}\n"));
        server.createContext("/ready", exchange -> {
            answer(exchange, ready.getAsBoolean() ? 200 : 503, "application/json", details.get() + "\n");
        });
        server.createContext("/metrics", exchange -> answer(exchange, 200, "text/plain; version=0.0.4", metrics.get()));
        server.setExecutor(executor);
        server.start();
    }

    /**
     * @param port any free one if it is 0
     * @param details the body of {@code /ready}
     * @param metrics as Prometheus reads them
     */
    public static Endpoint start(
            String host, int port, BooleanSupplier ready, Supplier<String> details, Supplier<String> metrics) {
        try {
            InetSocketAddress address = new InetSocketAddress(InetAddress.getByName(host), port);
            return new Endpoint(HttpServer.create(address, 0), ready, details, metrics);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot listen on %s:%d".formatted(host, port), e);
        }
    }

    private static void answer(HttpExchange exchange, int status, String type, String text) throws IOException {
        try (exchange) {
            byte[] body = text.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", type);
            boolean head = exchange.getRequestMethod().equals("HEAD");
            exchange.sendResponseHeaders(status, head ? -1 : body.length);
            if (!head) exchange.getResponseBody().write(body);
        }
    }

    public int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
        executor.shutdownNow();
    }
}
