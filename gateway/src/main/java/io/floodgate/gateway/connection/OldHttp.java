package io.floodgate.gateway.connection;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Requests in HTTP/1.0, which health checks and some proxies send, shown to the server as what it understands: HTTP/1.1 for
 * a connection that is closed after the answer.
 */
final class OldHttp {
    private static final int MAX_LINE = 8 * 1024;
    private static final int MAX_HEAD = 24 * 1024;
    private static final String OLD = " HTTP/1.0\r";

    /** The first line that the server gets instead of the one that came. */
    record Start(byte[] bytes, boolean isOld) {}

    private OldHttp() {}

    /** @param further the bytes after the first, as far as they are needed to see the whole head */
    static Start read(byte[] first, Supplier<byte @Nullable []> further) {
        int lineEnd = indexOf(first, (byte) '\n', 0, first.length);
        if (lineEnd < 0 || !endsOld(first, lineEnd)) {
            // A line that came in pieces is gathered; no client of today sends one so.
            if (lineEnd >= 0) return new Start(first, false);
            first = gather(first, further, false);
            lineEnd = indexOf(first, (byte) '\n', 0, first.length);
            if (lineEnd < 0 || !endsOld(first, lineEnd)) return new Start(first, false);
        }
        return new Start(translated(gather(first, further, true)), true);
    }

    private static boolean endsOld(byte[] bytes, int lineEnd) {
        int from = lineEnd - OLD.length();
        if (from < 0) return false;
        for (int i = 0; i < OLD.length(); i++) if (bytes[from + i] != OLD.charAt(i)) return false;
        return true;
    }

    private static byte[] gather(byte[] first, Supplier<byte @Nullable []> further, boolean wholeHead) {
        int max = wholeHead ? MAX_HEAD : MAX_LINE;
        byte[] gathered = first;
        int size = first.length;
        int searched = 0;
        while (size < max && !isComplete(gathered, searched, size, wholeHead)) {
            // The end of the head may have begun in the last piece.
            searched = Math.max(0, size - 3);
            byte[] more = further.get();
            if (more == null) break;
            if (size + more.length > gathered.length)
                gathered = Arrays.copyOf(gathered, Math.max(2 * size, size + more.length));
            System.arraycopy(more, 0, gathered, size, more.length);
            size += more.length;
        }
        return size == gathered.length ? gathered : Arrays.copyOf(gathered, size);
    }

    private static boolean isComplete(byte[] bytes, int from, int to, boolean wholeHead) {
        return wholeHead ? endOfHead(bytes, from, to) >= 0 : indexOf(bytes, (byte) '\n', from, to) >= 0;
    }

    private static byte[] translated(byte[] bytes) {
        int lineEnd = indexOf(bytes, (byte) '\n', 0, bytes.length);
        int end = endOfHead(bytes, 0, bytes.length);
        String head = new String(bytes, 0, end < 0 ? bytes.length : end, StandardCharsets.ISO_8859_1);
        boolean named = head.toLowerCase(Locale.ROOT).contains("\nhost:");
        ByteArrayOutputStream out = new ByteArrayOutputStream(bytes.length + 64);
        out.write(bytes, 0, lineEnd - 2);
        // Without a Host it can be no browser: none of them speaks HTTP/1.0.
        out.writeBytes(("1\r\nConnection: close\r\n" + (named ? "" : "Host: localhost\r\n"))
                .getBytes(StandardCharsets.US_ASCII));
        out.write(bytes, lineEnd + 1, bytes.length - lineEnd - 1);
        return out.toByteArray();
    }

    private static int endOfHead(byte[] bytes, int from, int to) {
        for (int i = indexOf(bytes, (byte) '\n', from, to); i >= 0; i = indexOf(bytes, (byte) '\n', i + 1, to))
            if (i + 2 < to && bytes[i + 1] == '\r' && bytes[i + 2] == '\n') return i;
        return -1;
    }

    private static int indexOf(byte[] bytes, byte wanted, int from, int to) {
        for (int i = from; i < to; i++) if (bytes[i] == wanted) return i;
        return -1;
    }
}
