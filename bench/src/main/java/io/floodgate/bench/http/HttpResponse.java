package io.floodgate.bench.http;

import java.nio.charset.StandardCharsets;

/**
 * What a server answered.
 *
 * @param keptAlive whether the connection can take another request
 * @param retryAfter the seconds that the server asks for; 0 if it does not
 */
public record HttpResponse(int status, byte[] body, boolean keptAlive, long retryAfter) {
    public String text() {
        return new String(body, StandardCharsets.UTF_8);
    }
}
