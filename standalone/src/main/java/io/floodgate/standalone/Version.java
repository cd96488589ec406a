package io.floodgate.standalone;

import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.kafka.common.utils.internals.AppInfoParser;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;

@Command(name = "version", description = "Prints the version, and the versions of Kafka and Java.")
final class Version implements Callable<Integer>, IVersionProvider {
    @Override
    public Integer call() {
        System.out.println(getVersion()[0]);
        return 0;
    }

    @Override
    public String[] getVersion() {
        return new String[] {
            "Floodgate %s (Kafka %s, Java %s)"
                    .formatted(
                            Optional.ofNullable(Version.class.getPackage().getImplementationVersion())
                                    .orElse("from source"),
                            AppInfoParser.getVersion(),
                            Runtime.version())
        };
    }
}
