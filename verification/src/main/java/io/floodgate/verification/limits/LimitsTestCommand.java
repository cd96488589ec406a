package io.floodgate.verification.limits;

import io.floodgate.verification.crash.CrashReport;
import io.floodgate.verification.process.InstallationOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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
    private static final Duration WARM_UP = Duration.ofSeconds(20);

    @Mixin
    private InstallationOptions options = new InstallationOptions();

    @Option(names = "--seconds", paramLabel = "S", description = "Length of the run after the warm-up of 20 s.")
    int seconds = 30;

    @Option(
            names = "--queues",
            paramLabel = "N",
            description = "Queues that hold jobs of each key, each in another partition.")
    int queues = 8;

    @Option(names = "--workers", paramLabel = "N", description = "Threads that fetch.")
    int workers = 24;

    @Option(names = "--fast", description = "One key with 5,000 starts per second instead of six slower ones.")
    boolean fast;

    @Option(
            names = "--processors",
            paramLabel = "N",
            description = "Processes for broker, gateway and N processors; 0: one process.")
    int processors = 0;

    @Option(
            names = "--kills",
            paramLabel = "N",
            description = "How often a processor, or the one process, is killed during the run.")
    int kills = 0;

    @Override
    public Integer call() throws Exception {
        Path root = options.makeDirectory("limits");
        LimitsRun.Plan plan = new LimitsRun.Plan(
                fast ? LimitedKey.fast() : LimitedKey.slow(),
                queues,
                workers,
                fast ? 100 : 10,
                !fast,
                WARM_UP,
                WARM_UP.plusSeconds(seconds),
                options.partitions(),
                processors,
                kills);
        CrashReport report = new LimitsRun(plan, root, System.out).run();
        report.printClaims(System.out);
        return options.exitCode(report.passed(), root);
    }
}
