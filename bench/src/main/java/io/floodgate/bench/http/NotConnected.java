package io.floodgate.bench.http;

import java.io.IOException;

/** Nothing was sent, because no server could be reached. */
public final class NotConnected extends IOException {
    private static final long serialVersionUID = 1L;

    NotConnected(HttpTarget target, IOException cause) {
        super("%s cannot be reached: %s".formatted(target.authority(), cause.getMessage()), cause);
    }
}
