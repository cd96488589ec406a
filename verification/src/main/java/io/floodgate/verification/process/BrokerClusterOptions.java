package io.floodgate.verification.process;

import io.floodgate.verification.process.Installation.Layout;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Option;

/** What an installation on several brokers consists of. */
public final class BrokerClusterOptions {
    @Option(names = "--brokers", paramLabel = "N", description = "Number of brokers.")
    private int brokers = 3;

    @Option(names = "--processors", paramLabel = "N", description = "Number of processors.")
    private int processors = 2;

    @Option(names = "--gateways", paramLabel = "N", description = "Number of gateways.")
    private int gateways = 2;

    @Option(
            names = "--option",
            paramLabel = "OPTION",
            description = "Given to each processor and gateway, such as --option=--kafka-timeout=PT5S. May be repeated")
    private List<String> options = List.of();

    public Layout layout(Path directory, int partitions) {
        return new Layout(directory, partitions, brokers, processors, gateways).options(options);
    }
}
