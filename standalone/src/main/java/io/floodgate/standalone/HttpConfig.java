package io.floodgate.standalone;

import io.floodgate.gateway.GatewayConfig;
import io.floodgate.topics.client.ClientConfig;

/**
 * Where a gateway listens, and what it offers.
 *
 * @param port 0 for any free one
 */
record HttpConfig(String host, int port, boolean testMode) {
    GatewayConfig gateway(ClientConfig client) {
        return new GatewayConfig(
                host,
                port,
                client,
                testMode,
                GatewayConfig.DEFAULT_REQUEST_TIMEOUT,
                GatewayConfig.DEFAULT_MAX_CONNECTIONS);
    }
}
