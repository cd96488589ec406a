package io.floodgate.bench.http;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One keep-alive connection, for one thread. It is opened when needed, and again after a failure. On two cores that the server
 * shares, the HTTP client of the JDK leaves a quarter of the enqueues per second that this class does.
 */
public final class HttpConnection implements AutoCloseable {
    private static final byte[] NO_BODY = new byte[0];
    private static final int CONNECT_MS = 5_000;

    private final HttpTarget target;
    private final int timeoutMs;
    private final String fixedHeaders;
    private @Nullable Open open;

    private record Open(Socket socket, ResponseReader in) {}

    public HttpConnection(HttpTarget target, Duration timeout) {
        this.target = target;
        timeoutMs = (int) timeout.toMillis();
        String key = target.key() == null ? "" : "Authorization: Bearer %s\r\n".formatted(target.key());
        fixedHeaders =
                " HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\n%s".formatted(target.authority(), key);
    }

    public HttpResponse get(String path) throws IOException {
        return exchange("GET", path, NO_BODY);
    }

    /** Returns the body of the response, which must have this status. */
    public byte[] get(String path, int expectedStatus) throws IOException {
        return expect("GET", path, NO_BODY, expectedStatus);
    }

    /** Returns the body of the response, which must have status 200. */
    public byte[] put(String path, byte[] body) throws IOException {
        return expect("PUT", path, body, 200);
    }

    /** Returns the body of the response, which must have this status. */
    public byte[] post(String path, byte[] body, int expectedStatus) throws IOException {
        return expect("POST", path, body, expectedStatus);
    }

    private byte[] expect(String method, String path, byte[] body, int expectedStatus) throws IOException {
        HttpResponse response = exchange(method, path, body);
        if (response.status() != expectedStatus)
            throw new IOException(
                    "%s %s was answered with %d: %.300s".formatted(method, path, response.status(), response.text()));
        return response.body();
    }

    public HttpResponse exchange(String method, String path, byte[] body) throws IOException {
        return exchange(method, path, body, Map.of());
    }

    /** Sends a request and waits for the response. Nothing is ever sent twice. */
    public HttpResponse exchange(String method, String path, byte[] body, Map<String, String> headers)
            throws IOException {
        Open connection = open == null ? connect() : open;
        boolean isComplete = false;
        try {
            connection.socket.getOutputStream().write(request(method, path, body, headers));
            HttpResponse response = connection.in.read();
            isComplete = response.isKeptAlive();
            return response;
        } finally {
            if (!isComplete) close();
        }
    }

    /** Head and body in one piece, so that they leave in one packet. */
    private byte[] request(String method, String path, byte[] body, Map<String, String> headers) {
        StringBuilder head = new StringBuilder(256).append(method).append(' ');
        head.append(target.basePath()).append(path).append(fixedHeaders);
        headers.forEach(
                (name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
        head.append("Content-Length: ").append(body.length).append("\r\n\r\n");
        byte[] start = head.toString().getBytes(StandardCharsets.ISO_8859_1);
        byte[] request = Arrays.copyOf(start, start.length + body.length);
        System.arraycopy(body, 0, request, start.length, body.length);
        return request;
    }

    private Open connect() throws IOException {
        Socket socket = new Socket();
        try {
            socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
            socket.setSoTimeout(timeoutMs);
            socket.connect(new InetSocketAddress(target.host(), target.port()), CONNECT_MS);
            Open opened = new Open(socket, new ResponseReader(socket.getInputStream()));
            open = opened;
            return opened;
        } catch (IOException e) {
            socket.close();
            throw new NotConnected(target, e);
        }
    }

    @Override
    public void close() {
        Open closing = open;
        open = null;
        if (closing == null) return;
        try {
            closing.socket.close();
        } catch (IOException e) {
            // The connection is of no use any more.
        }
    }
}
