package io.floodgate.verification.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What every test asks that has an installation of its own. */
public final class InstallationOptions {
    @Option(names = "--partitions", paramLabel = "N", description = "Number of partitions.")
    private int partitions = 8;

    @Option(
            names = "--directory",
            paramLabel = "DIR",
            description = "Where data and logs go. Default: a temporary directory; it stays when something is broken")
    @Nullable
    private Path directory;

    @Option(
            names = "--plant",
            paramLabel = "FAULT",
            description = "Runs a build with a fault in its source, which has to be found: ${COMPLETION-CANDIDATES}")
    @Nullable
    private Plant plant;

    public int partitions() {
        return partitions;
    }

    public Path makeDirectory(String name) throws IOException {
        Path made = directory != null ? directory : Files.createTempDirectory("floodgate-" + name + "-");
        if (plant != null) plant.plant(made.resolve("planted"));
        return made;
    }

    /** A run that passed needs no directory any more, unless the operator has named one. */
    public int exitCode(boolean passed, Path made) throws IOException {
        if (passed && directory == null) Utils.delete(made.toFile());
        return passed ? 0 : 1;
    }
}
