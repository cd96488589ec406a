package io.floodgate.verification.crash;

import io.floodgate.verification.chaos.LoadOptions;
import io.floodgate.verification.process.InstallationOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "outage-test",
        description = {
            "Takes away one part after another of an installation under load: the broker, a processor, the leader of",
            "one partition. Checks how soon callers that need it are rejected, whether all others are served, and whether",
            "anything was lost or done twice when it is back. Exit code 0 if everything holds."
        },
        mixinStandardHelpOptions = true)
public final class OutageTestCommand implements Callable<Integer> {
    private static final Duration PAUSE = Duration.ofSeconds(5);

    @Mixin
    private InstallationOptions options = new InstallationOptions();

    @Mixin
    private LoadOptions loadOptions = new LoadOptions();

    @Option(names = "--seconds", paramLabel = "S", description = "How long each part is gone.")
    int seconds = 60;

    @Option(
            names = "--what",
            paramLabel = "PART",
            split = ",",
            description = "Which parts: ${COMPLETION-CANDIDATES}. One after the other, in this order")
    Set<OutageRun.Gone> parts = EnumSet.allOf(OutageRun.Gone.class);

    @Override
    public Integer call() throws Exception {
        long chosen = loadOptions.chooseSeed();
        Path root = options.makeDirectory("outage");
        System.out.printf("Seed %d; data and logs in %s%n%n%s%n", chosen, root, CrashReport.heading());
        OutageRun.Plan plan = new OutageRun.Plan(
                Duration.ofSeconds(seconds), PAUSE, options.partitions(), loadOptions.rate(), chosen, parts);
        CrashReport report = new OutageRun(plan, root, System.out).run();
        report.print(System.out);
        return options.exitCode(report.passed(), root);
    }
}
