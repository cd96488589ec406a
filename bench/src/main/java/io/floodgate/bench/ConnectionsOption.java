package io.floodgate.bench;

import picocli.CommandLine.Option;

/** Of commands that speak HTTP. */
final class ConnectionsOption {
    @Option(names = "--connections", description = "connections (default: ${DEFAULT-VALUE})")
    int connections;

    ConnectionsOption(int usual) {
        connections = usual;
    }
}
