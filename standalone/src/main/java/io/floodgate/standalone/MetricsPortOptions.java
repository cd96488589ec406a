package io.floodgate.standalone;

import io.floodgate.standalone.metrics.Endpoint;
import io.floodgate.standalone.metrics.ProcessMetrics;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import picocli.CommandLine.Option;

/** Options for the port at which a role without an HTTP API shows its state. */
final class MetricsPortOptions {
    @Option(
            names = "--metrics-port",
            paramLabel = "PORT",
            defaultValue = "0",
            description = "Port for /health, /ready and /metrics of this process; 0 disables them.")
    int port;

    @Option(
            names = "--metrics-host",
            paramLabel = "HOST",
            defaultValue = "127.0.0.1",
            description = "Address on which /health, /ready and /metrics of this process are served.")
    String host = "127.0.0.1";

    /** @param details the body of {@code /ready} */
    void serve(Running running, BooleanSupplier ready, Supplier<String> details, ProcessMetrics metrics) {
        if (port != 0) running.add("port of metrics", Endpoint.start(host, port, ready, details, metrics::text));
    }
}
