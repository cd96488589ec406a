package io.floodgate.verification.cluster;

import io.floodgate.verification.crash.CrashReport;
import io.floodgate.verification.process.BrokerClusterOptions;
import io.floodgate.verification.process.InstallationOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "cluster-test",
        description = {
            "Takes away one part after another of an installation on three brokers with replication 3, and looks, in each",
            "partition and through each gateway, how long nothing was served, whether gateways said so, and whether anything",
            "was lost or done twice. Exit code 0 if everything holds."
        },
        mixinStandardHelpOptions = true)
public final class ClusterTestCommand implements Callable<Integer> {
    @Mixin
    private InstallationOptions options = new InstallationOptions();

    @Mixin
    private BrokerClusterOptions cluster = new BrokerClusterOptions();

    @Option(
            names = "--fault",
            paramLabel = "FAULT",
            split = ",",
            description = "What is done: ${COMPLETION-CANDIDATES}.")
    Set<ClusterFault> faults = EnumSet.allOf(ClusterFault.class);

    @Option(names = "--seconds", paramLabel = "S", description = "How long something hangs or is frozen.")
    int seconds = 40;

    @Option(names = "--away", paramLabel = "S", description = "How long something that was killed or stopped is gone.")
    int away = 20;

    @Option(
            names = "--every",
            paramLabel = "MS",
            description =
                    "How often each partition is asked through each gateway: with 800, 8 partitions and 2 gateways, that is 20 jobs a second.")
    int everyMillis = 800;

    @Option(
            names = "--broker",
            paramLabel = "N",
            description =
                    "Which broker is killed or hangs. Default: the one that coordinates the group of the processors")
    @Nullable
    Integer victim;

    @Override
    public Integer call() throws Exception {
        Path root = options.makeDirectory("cluster");
        System.out.printf("Data and logs in %s%n%n", root);
        ClusterRun.Plan plan = new ClusterRun.Plan(
                List.copyOf(faults),
                Duration.ofSeconds(seconds),
                Duration.ofSeconds(away),
                Duration.ofMillis(everyMillis),
                Optional.ofNullable(victim),
                cluster.layout(root, options.partitions()));
        CrashReport report = new ClusterRun(plan, System.out).run();
        report.printClaims(System.out);
        return options.exitCode(report.passed(), root);
    }
}
