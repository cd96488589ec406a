package io.floodgate.bench.http;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Reads responses off a connection, one after the other, through a buffer of its own (RFC 9112). */
final class ResponseReader {
    static final int MAX_HEAD_BYTES = 64 * 1024;
    static final int MAX_BODY_BYTES = 256 * 1024 * 1024;

    private final InputStream in;
    private byte[] buffer;
    private int from;
    private int to;
    private int headBytes;

    ResponseReader(InputStream in) {
        this(in, 16 * 1024);
    }

    ResponseReader(InputStream in, int bufferBytes) {
        this.in = in;
        buffer = new byte[bufferBytes];
    }

    HttpResponse read() throws IOException {
        while (true) {
            headBytes = 0;
            int status = statusOf(line());
            Head head = head();
            if (status >= 200)
                return new HttpResponse(
                        status, body(status, head), head.keptAlive && head.isDelimited(status), head.retryAfter);
        }
    }

    /** What the header fields say about the body. */
    private static final class Head {
        private long length = -1;
        private boolean chunked;
        private boolean keptAlive = true;
        private long retryAfter;

        boolean isDelimited(int status) {
            return chunked || length >= 0 || hasNoBody(status);
        }
    }

    private static boolean hasNoBody(int status) {
        return status == 204 || status == 304;
    }

    private static int statusOf(Line line) throws MalformedResponse {
        if (line.length() < 12 || !line.startsWith("HTTP/1.1 ") || (line.length() > 12 && line.at(12) != ' '))
            throw new MalformedResponse("not the status line of HTTP/1.1: " + line);
        int status = 0;
        for (int i = 9; i < 12; i++) {
            int digit = line.at(i) - '0';
            if (digit < 0 || digit > 9) throw new MalformedResponse("not a status: " + line);
            status = status * 10 + digit;
        }
        if (status < 100) throw new MalformedResponse("not a status: " + line);
        return status;
    }

    private Head head() throws IOException {
        Head head = new Head();
        for (Line line = line(); line.length() > 0; line = line()) {
            int colon = line.indexOf(':');
            if (colon < 1) throw new MalformedResponse("not a header field: " + line);
            if (line.isNamed("content-length", colon)) length(head, line.value(colon));
            else if (line.isNamed("transfer-encoding", colon)) transferEncoding(head, line.value(colon));
            else if (line.isNamed("retry-after", colon)) head.retryAfter = number(line.value(colon), 10, "Retry-After");
            else if (line.isNamed("connection", colon) && line.value(colon).equalsIgnoreCase("close"))
                head.keptAlive = false;
        }
        if (head.chunked && head.length >= 0) throw new MalformedResponse("both Content-Length and Transfer-Encoding");
        return head;
    }

    private static void length(Head head, String value) throws MalformedResponse {
        long length = number(value, 10, "Content-Length");
        if (head.length >= 0 && head.length != length) throw new MalformedResponse("two different Content-Lengths");
        head.length = length;
    }

    private static void transferEncoding(Head head, String value) throws MalformedResponse {
        if (!value.equalsIgnoreCase("chunked")) throw new MalformedResponse("unknown Transfer-Encoding: " + value);
        head.chunked = true;
    }

    private static long number(String digits, int radix, String what) throws MalformedResponse {
        // Long.parseLong would also take a sign.
        if (digits.isEmpty() || digits.length() > 12 || Character.digit(digits.charAt(0), radix) < 0)
            throw new MalformedResponse("not a %s: '%s'".formatted(what, digits));
        try {
            long number = Long.parseLong(digits, radix);
            if (number > MAX_BODY_BYTES)
                throw new MalformedResponse("a body of %d bytes is too large".formatted(number));
            return number;
        } catch (NumberFormatException e) {
            throw new MalformedResponse("not a %s: '%s'".formatted(what, digits));
        }
    }

    private byte[] body(int status, Head head) throws IOException {
        if (hasNoBody(status)) return new byte[0];
        if (head.chunked) return chunks();
        return head.length >= 0 ? bytes((int) head.length) : untilTheEnd();
    }

    private byte[] chunks() throws IOException {
        byte[] body = new byte[0];
        while (true) {
            Line line = line();
            int semicolon = line.indexOf(';');
            int size = (int) number(
                    line.text(0, semicolon < 0 ? line.length() : semicolon).strip(), 16, "chunk size");
            if (size == 0) break;
            if ((long) body.length + size > MAX_BODY_BYTES) throw new MalformedResponse("the chunks are too many");
            byte[] chunk = bytes(size);
            int before = body.length;
            body = Arrays.copyOf(body, before + size);
            System.arraycopy(chunk, 0, body, before, size);
            if (line().length() != 0) throw new MalformedResponse("a chunk is longer than it says");
            headBytes = 0;
        }
        while (line().length() > 0) {
            // trailers say nothing to us
        }
        return body;
    }

    private byte[] untilTheEnd() throws IOException {
        byte[] rest = new byte[to - from];
        System.arraycopy(buffer, from, rest, 0, rest.length);
        byte[] more = in.readNBytes(MAX_BODY_BYTES - rest.length);
        byte[] body = Arrays.copyOf(rest, rest.length + more.length);
        System.arraycopy(more, 0, body, rest.length, more.length);
        from = to = 0;
        return body;
    }

    private byte[] bytes(int length) throws IOException {
        int buffered = Math.min(length, to - from);
        // A length that is only claimed does not get its memory before its bytes come.
        byte[] bytes = new byte[Math.min(length, Math.max(buffered, 64 * 1024))];
        System.arraycopy(buffer, from, bytes, 0, buffered);
        from += buffered;
        int read = buffered;
        while (read < length) {
            if (read == bytes.length) bytes = Arrays.copyOf(bytes, Math.min(length, bytes.length * 2));
            int more = in.read(bytes, read, bytes.length - read);
            if (more < 0) throw new EOFException("the connection ended after %d of %d bytes".formatted(read, length));
            read += more;
        }
        return bytes;
    }

    /** A line of the head, without its end; valid until the next one is read. */
    private Line line() throws IOException {
        int scanned = from;
        while (true) {
            for (int i = scanned; i < to; i++) {
                if (buffer[i] != '\n') continue;
                int end = i > from && buffer[i - 1] == '\r' ? i - 1 : i;
                Line line = new Line(buffer, from, end);
                count(i + 1 - from);
                from = i + 1;
                return line;
            }
            int offset = to - from;
            count(0);
            if (headBytes + offset > MAX_HEAD_BYTES)
                throw new MalformedResponse("the head of the response is too long");
            fill();
            scanned = from + offset;
        }
    }

    private void count(int bytes) throws MalformedResponse {
        headBytes += bytes;
        if (headBytes > MAX_HEAD_BYTES) throw new MalformedResponse("the head of the response is too long");
    }

    private void fill() throws IOException {
        if (from == to) {
            from = to = 0;
        } else if (to == buffer.length) {
            byte[] target = from > 0 ? buffer : new byte[buffer.length * 2];
            System.arraycopy(buffer, from, target, 0, to - from);
            buffer = target;
            to -= from;
            from = 0;
        }
        int read = in.read(buffer, to, buffer.length - to);
        if (read < 0) throw new EOFException("the connection ended in the head of a response");
        to += read;
    }

    /** A view of the buffer. */
    private record Line(byte[] buffer, int start, int end) {
        int length() {
            return end - start;
        }

        byte at(int i) {
            return buffer[start + i];
        }

        boolean startsWith(String ascii) {
            for (int i = 0; i < ascii.length(); i++) if (at(i) != ascii.charAt(i)) return false;
            return true;
        }

        int indexOf(char c) {
            for (int i = start; i < end; i++) if (buffer[i] == c) return i - start;
            return -1;
        }

        boolean isNamed(String lowerCase, int colon) {
            if (colon != lowerCase.length()) return false;
            for (int i = 0; i < colon; i++) {
                int c = at(i);
                if (c >= 'A' && c <= 'Z') c += 'a' - 'A';
                if (c != lowerCase.charAt(i)) return false;
            }
            return true;
        }

        String value(int colon) {
            return text(colon + 1, length()).strip();
        }

        String text(int first, int last) {
            return new String(buffer, start + first, last - first, StandardCharsets.ISO_8859_1);
        }

        @Override
        public String toString() {
            return text(0, Math.min(length(), 100));
        }
    }
}
