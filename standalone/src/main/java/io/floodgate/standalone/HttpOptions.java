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
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Where the HTTP API is served, to whom, and what it offers. */
final class HttpOptions {
    @Option(names = "--port", paramLabel = "PORT", defaultValue = "8080", description = "The port of the HTTP API.")
    int port = 8080;

    @Option(
            names = "--host",
            paramLabel = "HOST",
            defaultValue = "127.0.0.1",
            description = "The address on which the HTTP API listens; 0.0.0.0 is all."
                    + " Beyond this machine it asks for API keys (--keys), unless --open says that it need not.")
    String host = "127.0.0.1";

    @Option(
            names = "--allowed-hosts",
            paramLabel = "NAME,...",
            split = ",",
            description = "Names under which the HTTP API is reached, beside localhost and addresses; * for any."
                    + " A request for another name is refused, so that no web page can reach the API under a name of its own."
                    + " If --host is no loopback address, names without a dot count too.")
    @Nullable
    List<String> allowedHosts;

    @Option(
            names = "--keys",
            paramLabel = "FILE",
            description =
                    "API keys, as ./floodgate keys makes them: with this file, nobody uses the HTTP API without one."
                            + " It is read again when it changes.")
    @Nullable
    Path keys;

    @Option(
            names = "--open",
            description = "Whoever reaches the HTTP API may do everything, also from other machines:"
                    + " for where something else decides who does.")
    boolean open;

    @Option(
            names = "--tls-cert",
            paramLabel = "FILE",
            description = "Serves HTTPS instead of HTTP: the server's certificate in PEM, and those it rests on."
                    + " It is read again when it changes.")
    @Nullable
    Path certificate;

    @Option(
            names = "--tls-key",
            paramLabel = "FILE",
            description = "The private key of --tls-cert, in PEM (PKCS #8, not encrypted).")
    @Nullable
    Path privateKey;

    @Option(
            names = "--cors-origins",
            paramLabel = "ORIGIN,...",
            split = ",",
            description = "Web pages of these origins, such as https://jobs.example, may use the HTTP API; * for all."
                    + " Default: none but its own page.")
    @Nullable
    List<String> corsOrigins;

    @Option(
            names = "--default-wait",
            paramLabel = "SECONDS",
            defaultValue = "15",
            description =
                    "How long a fetch is parked that names a worker and no wait_ms, if the worker sends heartbeats"
                            + " (2 s at most if it only polls); 0 for not at all.")
    int defaultWait = 15;

    @Option(
            names = "--shutdown-notice",
            paramLabel = "SECONDS",
            defaultValue = "0",
            description = "How long requests are served on while /ready already says that the gateway is closing:"
                    + " longer than the load balancer in front takes to notice.")
    int shutdownNotice;

    @Option(
            names = "--test-mode",
            description = "Offers POST /ojs/v1/admin/reset, which forgets everything, and obeys jobs' test directives.")
    boolean testMode;

    @Mixin
    HttpLimitOptions limits = new HttpLimitOptions();

    @Mixin
    QueueTopicOptions queueTopics = new QueueTopicOptions();

    /** Refuses early, because all else takes seconds to start. */
    HttpConfig config() {
        GatewayLimits checked = limits.limits();
        refuseToBeOpenToAll();
        QueueTopics.Settings topics = queueTopics.settings();
        try (var probe = new ServerSocket(port, 1, InetAddress.getByName(host))) {
            return new HttpConfig(
                    host,
                    port == 0 ? probe.getLocalPort() : port,
                    testMode,
                    Duration.ofSeconds(Math.max(0, defaultWait)),
                    Duration.ofSeconds(Math.max(0, shutdownNotice)),
                    new Access(listed(corsOrigins), listed(allowedHosts), Optional.ofNullable(keys), tls()),
                    checked,
                    topics);
        } catch (IOException e) {
            throw new CommandErrors.Refusal(
                    "cannot listen on %s:%d (%s); choose another with --port".formatted(host, port, e.getMessage()));
        }
    }

    private void refuseToBeOpenToAll() {
        if (keys != null || open) return;
        try {
            if (InetAddress.getByName(host).isLoopbackAddress()) return;
        } catch (UnknownHostException unknown) {
            throw new CommandErrors.Refusal("there is no address %s to listen on".formatted(host));
        }
        throw new CommandErrors.Refusal(
                "--host %s lets other machines use the HTTP API: say which API keys they need with --keys FILE (./floodgate keys add makes one), or --open if something else decides who gets there"
                        .formatted(host));
    }

    private Optional<TlsFiles> tls() {
        if (certificate == null && privateKey == null) return Optional.empty();
        if (certificate == null || privateKey == null)
            throw new CommandErrors.Refusal("--tls-cert and --tls-key belong together: give both or none");
        return Optional.of(new TlsFiles(certificate, privateKey));
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
