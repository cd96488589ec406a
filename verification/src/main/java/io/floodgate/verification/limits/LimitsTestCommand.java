package io.floodgate.verification.limits;

import io.floodgate.verification.process.Directories;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "limits-test",
        description = {
            "Puts jobs with rate limits into an installation of its own and judges by started_at in the answers of fetches",
            "whether rates and throttles hold, how much of them is delivered, and how old starts are when answers arrive.",
            "Exit code 0 if everything holds."
        },
        mixinStandardHelpOptions = true)
public final class LimitsTestCommand implements Callable<Integer> {
    @Option(
            names = "--seconds",
            paramLabel = "S",
            description = "Length of the run after the warm-up. Default: ${DEFAULT-VALUE}")
    int seconds = 30;

    @Option(
            names = "--warm-up",
            paramLabel = "S",
            description = {
                "Before that. Limits have to hold in it; what is delivered, and how soon, is judged after it.",
                "Default: ${DEFAULT-VALUE}"
            })
    int warmUp = 20;

    @Option(
            names = "--queues",
            paramLabel = "N",
            description = "Queues that hold jobs of each key, each in another partition. Default: ${DEFAULT-VALUE}")
    int queues = 8;

    @Option(names = "--workers", paramLabel = "N", description = "Threads that fetch. Default: ${DEFAULT-VALUE}")
    int workers = 24;

    @Option(names = "--fast", description = "One key with 5,000 starts per second instead of six slower ones.")
    boolean fast;

    @Option(
            names = "--processors",
            paramLabel = "N",
            description = "Processes for broker, gateway and N processors; 0: one process. Default: ${DEFAULT-VALUE}")
    int processors = 0;

    @Option(
            names = "--kills",
            paramLabel = "N",
            description =
                    "How often a processor, or the one process, is killed during the run. Default: ${DEFAULT-VALUE}")
    int kills = 0;

    @Option(names = "--partitions", paramLabel = "N", description = "Default: ${DEFAULT-VALUE}")
    int partitions = 8;

    @Option(
            names = "--directory",
            paramLabel = "DIR",
            description = "Where data and logs go. Default: a temporary directory; it stays when something is broken")
    Optional<Path> directory = Optional.empty();

    @Override
    public Integer call() throws Exception {
        Path root = directory.isPresent() ? directory.get() : Files.createTempDirectory("floodgate-limits-");
        LimitsPlan plan = new LimitsPlan(
                fast ? LimitedKey.fast() : LimitedKey.slow(),
                queues,
                workers,
                fast ? 100 : 10,
                !fast,
                Duration.ofSeconds(warmUp),
                Duration.ofSeconds(warmUp + seconds),
                partitions,
                processors,
                kills);
        LimitsReport report = new LimitsRun(plan, root, System.out).run();
        report.print(System.out);
        if (report.passed() && directory.isEmpty()) Directories.delete(root);
        return report.passed() ? 0 : 1;
    }
}
