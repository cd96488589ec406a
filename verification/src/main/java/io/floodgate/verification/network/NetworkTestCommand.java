package io.floodgate.verification.network;

import io.floodgate.verification.crash.CrashReport;
import io.floodgate.verification.process.InstallationOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "network-test",
        description = {
            "Cuts connections of an installation on three brokers, and looks, in each partition and through each gateway,",
            "how long nothing was served, and whether anything was lost or done twice. Needs root, or unshare -rnm.",
            "Exit code 0 if everything holds."
        },
        mixinStandardHelpOptions = true)
public final class NetworkTestCommand implements Callable<Integer> {
    @Mixin
    private InstallationOptions options = new InstallationOptions();

    @Option(
            names = "--cut",
            paramLabel = "CUT",
            split = ",",
            description = "What is cut off: ${COMPLETION-CANDIDATES}.")
    Set<NetworkCut> cuts = EnumSet.allOf(NetworkCut.class);

    @Option(names = "--seconds", paramLabel = "S", split = ",", description = "How long, one after the other.")
    List<Integer> seconds = List.of(5, 40);

    @Option(
            names = "--option",
            paramLabel = "OPTION",
            description = "Given to each processor and gateway. May be repeated")
    private List<String> roleOptions = List.of();

    @Override
    public Integer call() throws Exception {
        Path root = options.makeDirectory("network");
        System.out.printf("Data and logs in %s%n%n", root);
        CrashReport report = new CutRun(
                        List.copyOf(cuts),
                        seconds.stream().map(Duration::ofSeconds).toList(),
                        options.partitions(),
                        roleOptions,
                        System.out)
                .run(root);
        report.printClaims(System.out);
        return options.exitCode(report.passed(), root);
    }
}
