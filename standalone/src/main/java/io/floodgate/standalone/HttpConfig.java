package io.floodgate.standalone;

import io.floodgate.gateway.GatewayConfig;
import io.floodgate.gateway.GatewayConfig.Access;
import io.floodgate.gateway.GatewayLimits;
import io.floodgate.gateway.queue.QueueTopics;
import io.floodgate.topics.client.ClientConfig;
import java.time.Duration;

/**
 * The address of a gateway, and what it offers.
 *
 * @param port 0 for any free one
 * @param defaultWait how long workers wait for a job that poll without saying how long
 * @param notice how long a gateway that is stopped goes on serving, while it says that it is not ready
 * @param queueTopics which queues have topics of their own
 * @param webhooks whether and where events are delivered
 */
record HttpConfig(
        String host,
        int port,
        boolean testMode,
        Duration defaultWait,
        Duration notice,
        Access access,
        GatewayLimits limits,
        QueueTopics.Settings queueTopics,
        WebhookSettings webhooks) {

    /** Returns settings for this machine, with the default limits. */
    static HttpConfig local(int port, boolean testMode) {
        return new HttpConfig(
                "127.0.0.1",
                port,
                testMode,
                GatewayConfig.DEFAULT_WAIT,
                Duration.ZERO,
                Access.LOCAL,
                GatewayLimits.ofHeap(),
                QueueTopics.Settings.DEFAULT,
                WebhookSettings.DEFAULT);
    }

    /** Returns the beginning of addresses of the API. */
    String scheme() {
        return access.tls().isPresent() ? "https" : "http";
    }

    GatewayConfig gateway(ClientConfig client) {
        return new GatewayConfig(
                host,
                port,
                client,
                testMode,
                GatewayConfig.DEFAULT_REQUEST_TIMEOUT,
                defaultWait,
                notice,
                access,
                limits,
                queueTopics,
                webhooks.targets());
    }
}
