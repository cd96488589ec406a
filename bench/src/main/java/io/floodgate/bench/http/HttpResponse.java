package io.floodgate.bench.http;

import java.nio.charset.StandardCharsets;

/**
 * The answer of a server.
 *
 * @param isKeptAlive whether the connection can take another request
 */
public record HttpResponse(int status, byte[] body, boolean isKeptAlive) {
    public String text() {
        return new String(body, StandardCharsets.UTF_8);
    }
}
