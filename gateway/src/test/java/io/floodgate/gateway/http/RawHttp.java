package io.floodgate.gateway.http;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A connection over which anything can be sent. */
final class RawHttp implements AutoCloseable {
    /** One response, as far as its length says. */
    record Response(String head, String body) {
        int status() {
            return Integer.parseInt(head.substring(9, 12));
        }

        boolean has(String header) {
            return head.toLowerCase(java.util.Locale.ROOT).contains(header.toLowerCase(java.util.Locale.ROOT));
        }
    }

    private final Socket socket;
    private final InputStream in;

    RawHttp(int port) throws IOException {
        this(port, "127.0.0.1");
    }

    /** @param from the address of the caller, any of this machine's */
    RawHttp(int port, String from) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port, InetAddress.getByName(from), 0);
        socket.setSoTimeout(60_000);
        // Or the second part of a request would wait for the first to be acknowledged.
        socket.setTcpNoDelay(true);
        in = new BufferedInputStream(socket.getInputStream());
    }

    RawHttp send(String text) throws IOException {
        return send(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    RawHttp send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        socket.getOutputStream().flush();
        return this;
    }

    RawHttp request(String method, String path, String body) throws IOException {
        return send(
                "%s %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
                        .formatted(method, path, body.length(), body));
    }

    Response read() throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.length() < 4 || !head.substring(head.length() - 4).equals("\r\n\r\n")) {
            int b = in.read();
            if (b < 0) throw new IOException("closed after: " + head);
            head.append((char) b);
        }
        String text = head.toString();
        int length = 0;
        for (String line : text.lines().toList())
            if (line.toLowerCase(java.util.Locale.ROOT).startsWith("content-length:"))
                length = Integer.parseInt(line.substring(15).strip());
        return new Response(text, new String(in.readNBytes(length), StandardCharsets.UTF_8));
    }

    boolean isAnswered() {
        try {
            return in.available() > 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    boolean isClosed() throws IOException {
        return in.read() < 0;
    }

    void endOfOutput() throws IOException {
        socket.shutdownOutput();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
