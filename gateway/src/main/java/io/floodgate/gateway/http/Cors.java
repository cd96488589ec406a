package io.floodgate.gateway.http;

import io.helidon.http.Header;
import io.helidon.http.HeaderValues;
import io.helidon.http.ServerResponseHeaders;

/** Lets pages of other origins use the API (OJS HTTP binding §20.2). */
final class Cors {
    private static final Header ANYONE = HeaderValues.createCached("Access-Control-Allow-Origin", "*");
    private static final Header EXPOSED = HeaderValues.createCached(
            "Access-Control-Expose-Headers",
            "X-Request-Id, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, OJS-Version, Retry-After, Location,"
                    + " X-OJS-Queue-Depth, X-OJS-Queue-Bound, X-OJS-Queue-Max-Depth, X-OJS-Queue-Pressure");
    private static final Header METHODS =
            HeaderValues.createCached("Access-Control-Allow-Methods", "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS");
    private static final Header HEADERS = HeaderValues.createCached(
            "Access-Control-Allow-Headers",
            "Content-Type, Accept, Authorization, OJS-Version, OJS-Block-Timeout, OJS-Requires-Extension, X-OJS-Tenant,"
                    + " X-Request-Id, Idempotency-Key, Last-Event-ID");
    private static final Header MAX_AGE = HeaderValues.createCached("Access-Control-Max-Age", "86400");

    private Cors() {}

    static void addTo(ServerResponseHeaders headers) {
        headers.set(ANYONE);
        headers.set(EXPOSED);
    }

    static void addPreflightTo(ServerResponseHeaders headers) {
        addTo(headers);
        headers.set(METHODS);
        headers.set(HEADERS);
        headers.set(MAX_AGE);
    }
}
