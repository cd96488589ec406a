package io.floodgate.bench.http;

import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Writes requests to a server as they go over the wire. */
final class RequestWriter {
    private final HttpTarget target;
    private final byte[] fixedHeaders;

    /** @param headers that go with each request beside the usual ones */
    RequestWriter(HttpTarget target, Map<String, String> headers) {
        this.target = target;
        StringBuilder more = new StringBuilder();
        if (target.key() != null)
            more.append("Authorization: Bearer ").append(target.key()).append("\r\n");
        add(headers, more);
        fixedHeaders = ascii(" HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\n%sContent-Length: "
                .formatted(target.authority(), more));
    }

    /** Head and body in one piece, so that they leave in one packet. */
    byte[] write(String method, String path, byte[] body, Map<String, String> headers) {
        byte[] start = ascii(method + " " + target.basePath() + path);
        StringBuilder last = new StringBuilder(body.length + "\r\n");
        add(headers, last);
        byte[] end = ascii(last.append("\r\n").toString());
        byte[] request = new byte[start.length + fixedHeaders.length + end.length + body.length];
        int at = 0;
        for (byte[] part : new byte[][] {start, fixedHeaders, end, body}) {
            System.arraycopy(part, 0, request, at, part.length);
            at += part.length;
        }
        return request;
    }

    private static void add(Map<String, String> headers, StringBuilder to) {
        headers.forEach(
                (name, value) -> to.append(name).append(": ").append(value).append("\r\n"));
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
