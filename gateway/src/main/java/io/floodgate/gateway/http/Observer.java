package io.floodgate.gateway.http;

import java.time.Duration;

/** Observes every request that was answered. */
@FunctionalInterface
public interface Observer {
    /** Paths that nothing is at. */
    String NO_ROUTE = "none";

    /** @param operation the name of the route, or {@link #NO_ROUTE} */
    void served(String operation, int status, Duration time);
}
