package io.floodgate.bench.http;

import java.io.IOException;

/** What came is not HTTP/1.1, or more of it than a server should send. */
public final class MalformedResponse extends IOException {
    private static final long serialVersionUID = 1L;

    MalformedResponse(String message) {
        super(message);
    }
}
