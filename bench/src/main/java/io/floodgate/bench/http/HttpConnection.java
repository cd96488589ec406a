package io.floodgate.bench.http;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One keep-alive connection, for one thread. It is opened when needed, and again after a failure. */
public final class HttpConnection implements AutoCloseable {
    private static final byte[] NO_BODY = new byte[0];
    private static final int CONNECT_MS = 5_000;

    private final HttpTarget target;
    private final int timeoutMs;
    private final RequestWriter writer;
    private @Nullable Open open;

    private record Open(Socket socket, OutputStream out, ResponseReader in) {}

    public HttpConnection(HttpTarget target, Duration timeout) {
        this(target, timeout, Map.of());
    }

    /** @param headers that go with each request beside the usual ones */
    public HttpConnection(HttpTarget target, Duration timeout, Map<String, String> headers) {
        this.target = target;
        this.timeoutMs = (int) timeout.toMillis();
        writer = new RequestWriter(target, headers);
    }

    public HttpResponse get(String path) throws IOException {
        return exchange("GET", path, NO_BODY);
    }

    /** The body of the response, which must have status 200. */
    public byte[] put(String path, byte[] body) throws IOException {
        return expect("PUT", path, body, 200);
    }

    public HttpResponse post(String path, byte[] body) throws IOException {
        return exchange("POST", path, body);
    }

    /** The body of the response, which must have this status. */
    public byte[] post(String path, byte[] body, int expectedStatus) throws IOException {
        return expect("POST", path, body, expectedStatus);
    }

    public byte[] get(String path, int expectedStatus) throws IOException {
        return expect("GET", path, NO_BODY, expectedStatus);
    }

    private byte[] expect(String method, String path, byte[] body, int expectedStatus) throws IOException {
        HttpResponse response = exchange(method, path, body);
        if (response.status() != expectedStatus) throw new UnexpectedStatus(method + " " + path, response);
        return response.body();
    }

    public HttpResponse exchange(String method, String path, byte[] body) throws IOException {
        return exchange(method, path, body, Map.of());
    }

    /** Sends a request and waits for the response. Nothing is ever sent twice. */
    public HttpResponse exchange(String method, String path, byte[] body, Map<String, String> headers)
            throws IOException {
        Open connection = open == null ? connect() : open;
        boolean complete = false;
        try {
            connection.out.write(writer.write(method, path, body, headers));
            HttpResponse response = connection.in.read();
            complete = response.keptAlive();
            return response;
        } finally {
            if (!complete) close();
        }
    }

    private Open connect() throws IOException {
        Socket socket = new Socket();
        try {
            socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
            socket.setSoTimeout(timeoutMs);
            socket.connect(new InetSocketAddress(target.host(), target.port()), CONNECT_MS);
            Open opened = new Open(socket, socket.getOutputStream(), new ResponseReader(socket.getInputStream()));
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
            // there is nothing left to do for it
        }
    }
}
