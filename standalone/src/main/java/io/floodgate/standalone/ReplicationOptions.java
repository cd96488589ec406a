package io.floodgate.standalone;

import picocli.CommandLine.Option;

/** How often the cluster keeps what it is told. */
final class ReplicationOptions {
    @Option(
            names = "--replication",
            paramLabel = "N",
            defaultValue = "3",
            description = "On how many brokers each topic is kept, when it is created.")
    short factor = 3;
}
