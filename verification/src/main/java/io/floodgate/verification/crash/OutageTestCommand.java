package io.floodgate.verification.crash;

import io.floodgate.verification.process.Directories;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "outage-test",
        description = {
            "Takes away one part after another of an installation under load: the broker, a processor, the leader of",
            "one log. Looks how soon those are refused who need it, whether all others are served, and whether",
            "anything was lost or done twice when it is back. Exit code 0 if everything holds."
        },
        mixinStandardHelpOptions = true)
public final class OutageTestCommand implements Callable<Integer> {
    private static final Duration PAUSE = Duration.ofSeconds(5);

    @Option(
            names = "--seconds",
            paramLabel = "S",
            defaultValue = "60",
            description = "How long each part is gone. Default: ${DEFAULT-VALUE}")
    int seconds = 60;

    @Option(
            names = "--what",
            paramLabel = "PART",
            split = ",",
            description = "Which parts: ${COMPLETION-CANDIDATES}. Default: all of them, in this order")
    Set<OutageRun.Gone> parts = EnumSet.allOf(OutageRun.Gone.class);

    @Option(names = "--partitions", paramLabel = "N", defaultValue = "8", description = "Default: ${DEFAULT-VALUE}")
    int partitions = 8;

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "300",
            description = "Jobs enqueued in a second at most. Default: ${DEFAULT-VALUE}")
    int rate = 300;

    @Option(names = "--seed", paramLabel = "N", description = "Makes the same choices again. Default: any")
    Optional<Long> seed = Optional.empty();

    @Option(
            names = "--directory",
            paramLabel = "DIR",
            description = "Where data and logs go. Default: a temporary directory; it stays when something is broken")
    Optional<Path> directory = Optional.empty();

    @Override
    public Integer call() throws Exception {
        long chosen = seed.orElseGet(() -> ThreadLocalRandom.current().nextLong(1_000_000));
        Path root = directory.isPresent() ? directory.get() : Files.createTempDirectory("floodgate-outage-");
        System.out.printf("Seed %d; data and logs in %s%n%n%s%n", chosen, root, CrashReport.heading());
        OutageRun.Plan plan = new OutageRun.Plan(Duration.ofSeconds(seconds), PAUSE, partitions, rate, chosen, parts);
        CrashReport report = new OutageRun(plan, root, System.out).run();
        report.print(System.out);
        if (report.passed() && directory.isEmpty()) Directories.delete(root);
        return report.passed() ? 0 : 1;
    }
}
