package io.floodgate.gateway;

import io.floodgate.gateway.queue.QueueTopics;
import io.floodgate.gateway.schema.SubjectRegistry;
import io.floodgate.gateway.tls.TlsFiles;
import io.floodgate.topics.client.ClientConfig;
import io.floodgate.topics.webhook.WebhookTargets;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * How a gateway listens and how patient it is.
 *
 * @param port 0 for any free one
 * @param testMode offers to forget everything ({@code POST /ojs/v1/admin/reset}), and obeys jobs' test directives
 * @param requestTimeout how long a command may take before the caller gets the answer that the outcome is unknown
 * @param defaultWait how long workers wait for a job that poll without saying how long; zero for not at all
 * @param notice how long requests are served on after {@code /ready} has begun to say that the gateway is closing
 * @param queueTopics which queues have topics of their own
 * @param webhooks where events may be delivered
 */
public record GatewayConfig(
        String host,
        int port,
        ClientConfig client,
        boolean testMode,
        Duration requestTimeout,
        Duration defaultWait,
        Duration notice,
        Access access,
        GatewayLimits limits,
        QueueTopics.Settings queueTopics,
        WebhookTargets webhooks) {
    public static final Duration DEFAULT_REQUEST_TIMEOUT = Duration.ofSeconds(10);

    /**
     * Half of the time that the SDKs wait for any answer. An SDK's worker sleeps for a second after an answer without jobs,
     * and a job that comes in that second waits: the longer the wait, the rarer that is.
     */
    public static final Duration DEFAULT_WAIT = Duration.ofSeconds(15);

    /**
     * Who may use the API.
     *
     * @param corsOrigins the web pages of these origins may; {@code *} for all
     * @param allowedHosts names under which this gateway is reached, beside this machine's own; {@code *} for any
     * @param keys the file of API keys; without one, every caller may do everything
     * @param tls with which what is sent is encrypted; without it, nothing is
     * @param services of the team's own that the gateway knows
     */
    public record Access(
            List<String> corsOrigins,
            List<String> allowedHosts,
            Optional<Path> keys,
            Optional<TlsFiles> tls,
            Services services) {
        public static final Access LOCAL = new Access(List.of(), List.of());

        public Access(List<String> corsOrigins, List<String> allowedHosts) {
            this(corsOrigins, allowedHosts, Optional.empty(), Optional.empty());
        }

        public Access(
                List<String> corsOrigins, List<String> allowedHosts, Optional<Path> keys, Optional<TlsFiles> tls) {
            this(corsOrigins, allowedHosts, keys, tls, Services.NONE);
        }

        public Access {
            corsOrigins = List.copyOf(corsOrigins);
            allowedHosts = List.copyOf(allowedHosts);
        }
    }

    /**
     * Services of the team's own.
     *
     * @param codecServer which the console's readers have arguments decoded by (OJS encryption §9)
     * @param schemas from where schemas are copied
     */
    public record Services(Optional<URI> codecServer, Optional<SubjectRegistry.Settings> schemas) {
        public static final Services NONE = new Services(Optional.empty(), Optional.empty());
    }

    /** For this machine only, with the default limits. */
    public static GatewayConfig of(int port, ClientConfig client) {
        return new GatewayConfig(
                "127.0.0.1",
                port,
                client,
                false,
                DEFAULT_REQUEST_TIMEOUT,
                DEFAULT_WAIT,
                Duration.ZERO,
                Access.LOCAL,
                GatewayLimits.ofHeap(),
                QueueTopics.Settings.DEFAULT,
                WebhookTargets.PUBLIC);
    }
}
