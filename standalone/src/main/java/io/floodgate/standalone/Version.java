package io.floodgate.standalone;

import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

@Command(name = "version", description = "Which version this is, and on what it runs.")
final class Version implements Callable<Integer> {
    @Override
    public Integer call() {
        System.out.printf(
                "Floodgate %s (Kafka %s, Java %s)%n",
                Optional.ofNullable(Version.class.getPackage().getImplementationVersion())
                        .orElse("from source"),
                org.apache.kafka.common.utils.AppInfoParser.getVersion(),
                Runtime.version());
        return 0;
    }
}
