package io.floodgate.verification.crash;

import io.floodgate.verification.process.Directories;
import io.floodgate.verification.process.Plant;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import picocli.CommandLine.Option;

/** What every test asks that has an installation of its own. */
public final class InstallationOptions {
    @Option(names = "--seed", paramLabel = "N", description = "Makes the same choices again. Default: any")
    private Optional<Long> seed = Optional.empty();

    @Option(names = "--partitions", paramLabel = "N", defaultValue = "8", description = "Default: ${DEFAULT-VALUE}")
    private int partitions = 8;

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "300",
            description = "Jobs enqueued in a second at most; while nothing answers, fewer. Default: ${DEFAULT-VALUE}")
    private int rate = 300;

    @Option(
            names = "--directory",
            paramLabel = "DIR",
            description = "Where data and logs go. Default: a temporary directory; it stays when something is broken")
    private Optional<Path> directory = Optional.empty();

    @Option(
            names = "--plant",
            paramLabel = "FAULT",
            description = "Runs a build with a fault in its source, which has to be found: ${COMPLETION-CANDIDATES}")
    private Optional<Plant> plant = Optional.empty();

    /** The one that was asked for, or any. */
    public long chooseSeed() {
        return seed.orElseGet(() -> ThreadLocalRandom.current().nextLong(1_000_000));
    }

    public int partitions() {
        return partitions;
    }

    public int rate() {
        return rate;
    }

    public Path makeDirectory(String name) throws IOException {
        Path made = directory.isPresent() ? directory.get() : Files.createTempDirectory("floodgate-" + name + "-");
        if (plant.isPresent()) plant.get().plant(made.resolve("planted"));
        return made;
    }

    /** A run that passed needs no directory any more, unless the operator has named one. */
    public int exitCode(boolean passed, Path made) throws IOException {
        if (passed && directory.isEmpty()) Directories.delete(made);
        return passed ? 0 : 1;
    }
}
