package io.floodgate.standalone;

import picocli.CommandLine.Option;

/** How a processor works. */
final class ProcessorOptions {
    @Option(
            names = "--threads",
            paramLabel = "N",
            defaultValue = "1",
            description = "Stream threads of the processor; each takes a share of the partitions.")
    int threads = 1;
}
