package io.floodgate.bench.http;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProtocolException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Reads responses off a connection, one after the other, through a buffer of its own (RFC 9112). */
final class ResponseReader {
    private static final int MAX_BODY_BYTES = 256 * 1024 * 1024;

    private final InputStream in;
    /** As large as a head may be. */
    private final byte[] buffer = new byte[16 * 1024];

    private int from;
    private int to;

    ResponseReader(InputStream in) {
        this.in = in;
    }

    HttpResponse read() throws IOException {
        String start = line();
        if (!start.startsWith("HTTP/1.1 ") || start.length() < 12)
            throw new ProtocolException("not the status line of HTTP/1.1: " + start);
        int status = (int) number(start.substring(9, 12), 10);
        long length = 0;
        boolean isChunked = false;
        boolean isKeptAlive = true;
        for (String field = line(); !field.isEmpty(); field = line()) {
            int colon = field.indexOf(':');
            if (colon < 1) throw new ProtocolException("not a header field: " + field);
            String value = field.substring(colon + 1).strip();
            switch (field.substring(0, colon).toLowerCase(Locale.ROOT)) {
                case "content-length" -> length = number(value, 10);
                case "transfer-encoding" -> isChunked = true;
                case "connection" -> isKeptAlive = !value.equalsIgnoreCase("close");
                default -> {} // No other field says how to read the body.
            }
        }
        byte[] body = isChunked ? chunks() : bytes((int) length);
        return new HttpResponse(status, body, isKeptAlive);
    }

    private static long number(String digits, int radix) throws ProtocolException {
        try {
            long number = Long.parseLong(digits, radix);
            if (number >= 0 && number <= MAX_BODY_BYTES) return number;
        } catch (NumberFormatException e) {
            // The exception below shows it.
        }
        throw new ProtocolException("not a status or a length: " + digits);
    }

    private byte[] chunks() throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        for (int size = chunkSize(); size > 0; size = chunkSize()) {
            body.writeBytes(bytes(size));
            if (!line().isEmpty()) throw new ProtocolException("a chunk is longer than its size");
        }
        while (!line().isEmpty()) {
            // Trailers have nothing that a caller needs.
        }
        return body.toByteArray();
    }

    private int chunkSize() throws IOException {
        return (int) number(line().split(";", 2)[0].strip(), 16);
    }

    private byte[] bytes(int length) throws IOException {
        byte[] bytes = new byte[length];
        int buffered = Math.min(length, to - from);
        System.arraycopy(buffer, from, bytes, 0, buffered);
        from += buffered;
        if (in.readNBytes(bytes, buffered, length - buffered) < length - buffered)
            throw new EOFException("the connection ended within a body of %d bytes".formatted(length));
        return bytes;
    }

    /** Returns a line of the head, without its end. */
    private String line() throws IOException {
        for (int at = from; ; at++) {
            if (at == to) at -= fill();
            if (buffer[at] != '\n') continue;
            int end = at > from && buffer[at - 1] == '\r' ? at - 1 : at;
            String line = new String(buffer, from, end - from, StandardCharsets.ISO_8859_1);
            from = at + 1;
            return line;
        }
    }

    /** Reads more, and returns by how much it has moved what was there to the front. */
    private int fill() throws IOException {
        int moved = from;
        System.arraycopy(buffer, from, buffer, 0, to - from);
        to -= from;
        from = 0;
        if (to == buffer.length) throw new ProtocolException("the head of the response is too long");
        int read = in.read(buffer, to, buffer.length - to);
        if (read < 0) throw new EOFException("the connection ended in the head of a response");
        to += read;
        return moved;
    }
}
