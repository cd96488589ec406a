package io.floodgate.standalone;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Where data is kept. */
final class DataOptions {
    @Option(
            names = "--data",
            paramLabel = "DIR",
            defaultValue = ".floodgate",
            description = "Directory of all data. It survives restarts.")
    Path directory = Path.of(".floodgate");

    Path root() {
        return directory.toAbsolutePath().normalize();
    }

    Path broker() {
        return root().resolve("kafka");
    }

    /** Of the processor: stores that can be rebuilt from Kafka, which takes longer. */
    Path state() {
        return root().resolve("streams");
    }
}
