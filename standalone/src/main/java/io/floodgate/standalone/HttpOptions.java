package io.floodgate.standalone;

import io.floodgate.gateway.GatewayConfig.Access;
import io.floodgate.gateway.GatewayLimits;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
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
                    + " It asks nobody for a password, so by default it is for this machine only.")
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

    /** Refuses early, because all else takes seconds to start. */
    HttpConfig config() {
        GatewayLimits checked = limits.limits();
        try (var probe = new ServerSocket(port, 1, InetAddress.getByName(host))) {
            return new HttpConfig(
                    host,
                    port == 0 ? probe.getLocalPort() : port,
                    testMode,
                    Duration.ofSeconds(Math.max(0, defaultWait)),
                    Duration.ofSeconds(Math.max(0, shutdownNotice)),
                    new Access(listed(corsOrigins), listed(allowedHosts)),
                    checked);
        } catch (IOException e) {
            throw new Failures.Refusal(
                    "cannot listen on %s:%d (%s); choose another with --port".formatted(host, port, e.getMessage()));
        }
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
