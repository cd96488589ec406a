package io.floodgate.standalone;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import picocli.CommandLine.Option;

/** Where the HTTP API is served, and what it offers. */
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
            names = "--test-mode",
            description = "Offers POST /ojs/v1/admin/reset, which forgets everything, and obeys jobs' test directives.")
    boolean testMode;

    /** Refuses early, because all else takes seconds to start. */
    HttpConfig config() {
        try (var probe = new ServerSocket(port, 1, InetAddress.getByName(host))) {
            return new HttpConfig(host, port == 0 ? probe.getLocalPort() : port, testMode);
        } catch (IOException e) {
            throw new Failures.Refusal(
                    "cannot listen on %s:%d (%s); choose another with --port".formatted(host, port, e.getMessage()));
        }
    }
}
