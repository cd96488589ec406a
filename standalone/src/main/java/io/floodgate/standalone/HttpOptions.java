package io.floodgate.standalone;

import io.floodgate.gateway.GatewayConfig.Access;
import io.floodgate.gateway.GatewayLimits;
import io.floodgate.gateway.queue.QueueTopics;
import io.floodgate.gateway.tls.TlsFiles;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options for the address of the HTTP API, its callers, and what it offers. */
final class HttpOptions {
    @Option(names = "--port", paramLabel = "PORT", defaultValue = "8080", description = "Port of the HTTP API.")
    int port = 8080;

    @Option(
            names = "--host",
            paramLabel = "HOST",
            defaultValue = "127.0.0.1",
            description = "Address on which the HTTP API listens; 0.0.0.0 is all. Any address other than loopback"
                    + " needs API keys (--keys) or --no-auth.")
    String host = "127.0.0.1";

    @Option(
            names = "--allowed-hosts",
            paramLabel = "NAME,...",
            split = ",",
            description = "Host names under which the HTTP API may be called, beside localhost and IP addresses; *"
                    + " allows any. Requests for other names are rejected (protection against DNS rebinding)."
                    + " If --host is not a loopback address, names without a dot are allowed too.")
    @Nullable
    List<String> allowedHosts;

    @Option(
            names = "--keys",
            paramLabel = "FILE",
            description = "File of API keys, made with ./floodgate keys. With it, every HTTP request needs a key."
                    + " Changes are read within a second.")
    @Nullable
    Path keys;

    @Option(
            names = "--no-auth",
            description = "Serves the HTTP API without API keys, also to other machines. Use it only behind"
                    + " something else that authenticates callers.")
    boolean open;

    @Option(
            names = "--tls-cert",
            paramLabel = "FILE",
            description = "Serves HTTPS instead of HTTP with this certificate chain in PEM, server certificate"
                    + " first. Changes are read within a second.")
    @Nullable
    Path certificate;

    @Option(
            names = "--tls-key",
            paramLabel = "FILE",
            description = "The private key of --tls-cert, in PEM (PKCS #8, not encrypted).")
    @Nullable
    Path privateKey;

    @Option(
            names = "--tls-client-ca",
            paramLabel = "FILE",
            description = "Asks clients for certificates of these authorities, in PEM. Callers whose certificate an"
                    + " API key is bound to (./floodgate keys add --certificate) need no secret. Changes are read"
                    + " within a second.")
    @Nullable
    Path clientAuthorities;

    /** Whether clients must have certificates. */
    enum ClientAuth {
        REQUIRED,
        OPTIONAL;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Option(
            names = "--tls-client-auth",
            paramLabel = "WHEN",
            description = "Clients without a certificate of --tls-client-ca: required rejects their connections,"
                    + " also those of probes of /health and /ready; optional lets them use API keys. Default:"
                    + " required.")
    @Nullable
    ClientAuth clientAuth;

    @Option(
            names = "--cors-origins",
            paramLabel = "ORIGIN,...",
            split = ",",
            description = "Origins whose web pages may use the HTTP API, such as https://jobs.example; * allows"
                    + " all. Default: only its own page.")
    @Nullable
    List<String> corsOrigins;

    @Mixin
    ServiceOptions services = new ServiceOptions();

    @Option(
            names = "--default-wait",
            paramLabel = "SECONDS",
            defaultValue = "15",
            description = "Seconds that a fetch with a worker_id and no wait_ms waits for jobs, if the worker sends"
                    + " heartbeats (2 s at most otherwise); 0 answers at once.")
    int defaultWait = 15;

    @Option(
            names = "--shutdown-notice",
            paramLabel = "SECONDS",
            defaultValue = "0",
            description = "Seconds that requests are still served while /ready already answers 503. Longer than the"
                    + " interval of the load balancer's checks.")
    int shutdownNotice;

    @Option(
            names = "--test-mode",
            description = "Enables POST /ojs/v1/admin/reset, which deletes everything, and test directives in jobs."
                    + " Not for production.")
    boolean testMode;

    @Mixin
    HttpLimitOptions limits = new HttpLimitOptions();

    @Mixin
    QueueTopicOptions queueTopics = new QueueTopicOptions();

    @Mixin
    WebhookOptions webhooks = new WebhookOptions();

    /** Rejects early, because all else takes seconds to start. */
    HttpConfig config() {
        GatewayLimits checked = limits.limits();
        rejectToBeOpenToAll();
        QueueTopics.Settings topics = queueTopics.settings();
        WebhookSettings delivered = webhooks.settings(testMode);
        try (var probe = new ServerSocket(port, 1, InetAddress.getByName(host))) {
            return new HttpConfig(
                    host,
                    port == 0 ? probe.getLocalPort() : port,
                    testMode,
                    Duration.ofSeconds(Math.max(0, defaultWait)),
                    Duration.ofSeconds(Math.max(0, shutdownNotice)),
                    new Access(
                            listed(corsOrigins),
                            listed(allowedHosts),
                            Optional.ofNullable(keys),
                            tls(),
                            services.services()),
                    checked,
                    topics,
                    delivered);
        } catch (IOException e) {
            throw new CommandErrors.Rejection(
                    "cannot listen on %s:%d (%s); choose another with --port".formatted(host, port, e.getMessage()));
        }
    }

    private void rejectToBeOpenToAll() {
        if (keys != null || open) return;
        try {
            if (InetAddress.getByName(host).isLoopbackAddress()) return;
        } catch (UnknownHostException unknown) {
            throw new CommandErrors.Rejection("there is no address %s to listen on".formatted(host));
        }
        throw new CommandErrors.Rejection(
                "--host %s lets other machines use the HTTP API: say which API keys they need with --keys FILE (./floodgate keys add makes one), or --no-auth if something else decides who gets there"
                        .formatted(host));
    }

    private Optional<TlsFiles> tls() {
        if (clientAuth != null && clientAuthorities == null)
            throw new CommandErrors.Rejection("--tls-client-auth needs --tls-client-ca, the authorities of clients");
        if (clientAuthorities != null && certificate == null)
            throw new CommandErrors.Rejection("--tls-client-ca needs HTTPS: give --tls-cert and --tls-key, too");
        if (certificate == null && privateKey == null) return Optional.empty();
        if (certificate == null || privateKey == null)
            throw new CommandErrors.Rejection("--tls-cert and --tls-key belong together: give both or none");
        Optional<TlsFiles.Clients> clients = Optional.ofNullable(clientAuthorities)
                .map(file -> new TlsFiles.Clients(file, clientAuth != ClientAuth.OPTIONAL));
        return Optional.of(new TlsFiles(certificate, privateKey, clients));
    }

    private static List<String> listed(@Nullable List<String> values) {
        return values == null
                ? List.of()
                : values.stream()
                        .map(String::strip)
                        .filter(value -> !value.isEmpty())
                        .toList();
    }
}
