package io.floodgate.standalone;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Options for the directories of data. */
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

    /** Returns the directory of the processor: stores that can be rebuilt from Kafka, which takes longer. */
    Path state() {
        return root().resolve("streams");
    }
}
