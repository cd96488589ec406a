package io.floodgate.gateway.http;

import io.helidon.http.Header;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.ServerResponseHeaders;
import java.time.Clock;

/** The headers of every response, whether it succeeds or fails. */
final class StandardHeaders {
    static final HeaderName REQUEST_ID = HeaderNames.create("X-Request-Id");
    static final HeaderName LIMIT = HeaderNames.create("X-RateLimit-Limit");
    static final HeaderName REMAINING = HeaderNames.create("X-RateLimit-Remaining");
    static final HeaderName RESET = HeaderNames.create("X-RateLimit-Reset");

    private static final String VERSION = "1.0";
    private static final Header[] CONSTANT = {
        HeaderValues.createCached("OJS-Version", VERSION),
        HeaderValues.createCached("X-OJS-Version", VERSION),
        HeaderValues.X_CONTENT_TYPE_OPTIONS_NOSNIFF,
        // There is no limit on requests as such: the numbers are as large as clients can be expected to read.
        HeaderValues.createCached(LIMIT, "1000000"),
        HeaderValues.createCached(REMAINING, "1000000"),
    };

    private record Reset(long second, Header header) {}

    private final Clock clock;
    private volatile Reset reset = new Reset(-1, HeaderValues.create(RESET, "0"));

    StandardHeaders(Clock clock) {
        this.clock = clock;
    }

    void addTo(ServerResponseHeaders headers, String requestId) {
        for (Header header : CONSTANT) headers.set(header);
        headers.set(reset());
        headers.set(HeaderValues.create(REQUEST_ID, requestId));
    }

    private Header reset() {
        long second = clock.millis() / 1_000;
        Reset current = reset;
        if (current.second != second) {
            current = new Reset(second, HeaderValues.createCached(RESET, Long.toString(second + 1)));
            reset = current;
        }
        return current.header;
    }
}
