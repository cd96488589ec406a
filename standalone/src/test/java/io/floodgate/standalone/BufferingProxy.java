package io.floodgate.standalone;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A proxy as many are set up: it serves an API under a prefix, and passes an answer on when it has all of it. */
final class BufferingProxy implements AutoCloseable {
    private static final Set<String> OF_THE_CONNECTION =
            Set.of("connection", "content-length", "host", "transfer-encoding", "upgrade", "http2-settings");

    private final HttpClient client = HttpClient.newHttpClient();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpServer server;
    private final URI behind;
    private final String prefix;

    private BufferingProxy(HttpServer server, URI behind, String prefix) {
        this.server = server;
        this.behind = behind;
        this.prefix = prefix;
    }

    static BufferingProxy start(URI behind, String prefix) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        BufferingProxy proxy = new BufferingProxy(server, behind, prefix);
        server.createContext(prefix + "/", proxy::pass);
        server.setExecutor(proxy.threads);
        server.start();
        return proxy;
    }

    String address() {
        return "http://127.0.0.1:%d%s/".formatted(server.getAddress().getPort(), prefix);
    }

    private void pass(HttpExchange exchange) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().toString().substring(prefix.length());
            byte[] body = exchange.getRequestBody().readAllBytes();
            HttpRequest.Builder request = HttpRequest.newBuilder(behind.resolve(path))
                    .method(
                            exchange.getRequestMethod(),
                            body.length == 0 ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body));
            exchange.getRequestHeaders().forEach((name, values) -> {
                if (isOfMessage(name)) values.forEach(value -> request.header(name, value));
            });
            var answer = client.send(request.build(), BodyHandlers.ofByteArray());
            answer.headers().map().forEach((name, values) -> {
                if (isOfMessage(name)) exchange.getResponseHeaders().put(name, List.copyOf(values));
            });
            boolean isEmpty = answer.body().length == 0;
            exchange.sendResponseHeaders(answer.statusCode(), isEmpty ? -1 : answer.body().length);
            if (!isEmpty) exchange.getResponseBody().write(answer.body());
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    private static boolean isOfMessage(String name) {
        return !name.startsWith(":") && !OF_THE_CONNECTION.contains(name.toLowerCase(Locale.ROOT));
    }

    @Override
    public void close() {
        threads.shutdownNow();
        server.stop(0);
        client.shutdownNow();
    }
}
