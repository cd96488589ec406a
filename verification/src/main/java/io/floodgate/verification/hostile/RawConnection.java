package io.floodgate.verification.hostile;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;

/** A connection over which anything can be sent. */
final class RawConnection implements AutoCloseable {
    private static final int MOST = 1024 * 1024;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int SMALL_BUFFER = 4 * 1024;

    /** Attackers have an address of their own, as they have machines of their own. */
    private static final String FROM = "127.0.0.2";

    private final Socket socket;

    private RawConnection(Socket socket) {
        this.socket = socket;
    }

    static RawConnection open(Target target) throws IOException {
        Socket socket = new Socket();
        // What the reader does not take is the server's to keep.
        socket.setReceiveBufferSize(SMALL_BUFFER);
        socket.bind(new InetSocketAddress(InetAddress.getByName(FROM), 0));
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), target.port()), 10_000);
        return new RawConnection(socket);
    }

    RawConnection send(String text) throws IOException {
        return send(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    RawConnection send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        return this;
    }

    /** What comes until the server ends the connection, or is silent for this time. */
    String readFor(Duration silence) throws IOException {
        ByteArrayOutputStream heard = new ByteArrayOutputStream();
        socket.setSoTimeout((int) silence.toMillis());
        byte[] buffer = new byte[8 * 1024];
        try {
            for (int read = socket.getInputStream().read(buffer);
                    read >= 0 && heard.size() < MOST;
                    read = socket.getInputStream().read(buffer)) heard.write(buffer, 0, read);
        } catch (SocketTimeoutException silent) {
            // that was it
        }
        return heard.toString(StandardCharsets.ISO_8859_1);
    }

    /** Whether the server has ended the connection, within this time. */
    boolean ends(Duration patience) throws IOException {
        socket.setSoTimeout((int) patience.toMillis());
        try {
            return socket.getInputStream().read() < 0;
        } catch (SocketTimeoutException open) {
            return false;
        }
    }

    /** Sends a request, and reads the status of its answer and all of it. */
    int exchange(String head, byte[] body) throws IOException {
        socket.setSoTimeout((int) PATIENCE.toMillis());
        send(head).send(body);
        InputStream in = socket.getInputStream();
        String answer = line(in);
        int length = 0;
        for (String line = line(in); !line.isEmpty(); line = line(in))
            if (line.toLowerCase(Locale.ROOT).startsWith("content-length:"))
                length = Integer.parseInt(
                        line.substring("content-length:".length()).strip());
        in.skipNBytes(length);
        return Integer.parseInt(answer.substring("HTTP/1.1 ".length(), "HTTP/1.1 ".length() + 3));
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) throw new EOFException("the server has ended the connection");
            if (next != '\r') line.append((char) next);
        }
        return line.toString();
    }

    /** The head of a request without a body. */
    static String get(String path) {
        return "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n".formatted(path);
    }

    /** The head of a request with a JSON body. */
    static String head(String path, long length) {
        return "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
                .formatted(path, length);
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException gone) {
            // there is nothing left to do for it
        }
    }
}
