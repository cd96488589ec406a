package io.floodgate.gateway;

import io.floodgate.topics.client.ClientConfig;
import java.time.Duration;

/**
 * How a gateway listens and how patient it is.
 *
 * @param port 0 for any free one
 * @param testMode offers to forget everything ({@code POST /ojs/v1/admin/reset}), and obeys jobs' test directives
 * @param requestTimeout how long a command may take before its caller hears that the outcome is unknown
 * @param maxConnections how many callers may be connected; further ones wait to be accepted
 */
public record GatewayConfig(
        String host, int port, ClientConfig client, boolean testMode, Duration requestTimeout, int maxConnections) {
    public static final Duration DEFAULT_REQUEST_TIMEOUT = Duration.ofSeconds(10);
    public static final int DEFAULT_MAX_CONNECTIONS = 20_000;

    /** Listening on all addresses, with the default limits. */
    public static GatewayConfig of(int port, ClientConfig client) {
        return new GatewayConfig("0.0.0.0", port, client, false, DEFAULT_REQUEST_TIMEOUT, DEFAULT_MAX_CONNECTIONS);
    }

    public GatewayConfig withTestMode(boolean on) {
        return new GatewayConfig(host, port, client, on, requestTimeout, maxConnections);
    }
}
