package io.floodgate.bench.http;

import java.nio.charset.StandardCharsets;

/** What a server answered. {@code keptAlive} says whether the connection can take another request. */
public record HttpResponse(int status, byte[] body, boolean keptAlive) {
    public String text() {
        return new String(body, StandardCharsets.UTF_8);
    }
}
