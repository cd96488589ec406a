package io.floodgate.verification.process;

import java.util.List;
import picocli.CommandLine.Option;

/** What an installation on several brokers consists of. */
public final class BrokerClusterOptions {
    @Option(names = "--brokers", paramLabel = "N", defaultValue = "3", description = "Default: ${DEFAULT-VALUE}")
    private int brokers = 3;

    @Option(names = "--processors", paramLabel = "N", defaultValue = "2", description = "Default: ${DEFAULT-VALUE}")
    private int processors = 2;

    @Option(names = "--gateways", paramLabel = "N", defaultValue = "2", description = "Default: ${DEFAULT-VALUE}")
    private int gateways = 2;

    @Option(
            names = "--option",
            paramLabel = "OPTION",
            description = "Given to each processor and gateway, such as --option=--kafka-timeout=PT5S. May be repeated")
    private List<String> options = List.of();

    public int brokers() {
        return brokers;
    }

    public int processors() {
        return processors;
    }

    public int gateways() {
        return gateways;
    }

    public List<String> options() {
        return options;
    }
}
