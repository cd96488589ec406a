package io.floodgate.bench.http;

import java.io.IOException;

/** A well-formed response, but not the one that was wanted. */
public final class UnexpectedStatus extends IOException {
    private static final long serialVersionUID = 1L;
    private static final int SHOWN_CHARS = 300;

    private final int status;

    public UnexpectedStatus(String request, HttpResponse response) {
        super("%s was answered with %d: %s".formatted(request, response.status(), shown(response.text())));
        this.status = response.status();
    }

    public int status() {
        return status;
    }

    private static String shown(String body) {
        return body.length() <= SHOWN_CHARS ? body : body.substring(0, SHOWN_CHARS) + "…";
    }
}
