package io.floodgate.verification.cost;

import io.floodgate.verification.crash.InstallationOptions;
import io.floodgate.verification.process.BrokerClusterOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "cluster-cost",
        description = {
            "Measures what an installation on three brokers with replication 3 costs: processor time of all processes per",
            "job (enqueue, fetch and ack over HTTP, over all partitions), how long requests take, and how many requests",
            "the brokers get, at even rates and from callers without a pause."
        },
        mixinStandardHelpOptions = true)
public final class ClusterCostCommand implements Callable<Integer> {
    @Mixin
    private InstallationOptions options = new InstallationOptions();

    @Mixin
    private BrokerClusterOptions cluster = new BrokerClusterOptions();

    @Option(
            names = "--rates",
            paramLabel = "N",
            split = ",",
            defaultValue = "0,20,200",
            description = "Jobs in a second, one phase each; 0 is an idle installation. Default: ${DEFAULT-VALUE}")
    List<Integer> rates = List.of(0, 20, 200);

    @Option(
            names = "--callers",
            paramLabel = "N",
            defaultValue = "48",
            description = "Callers without a pause, in a last phase; 0 for no such phase. Default: ${DEFAULT-VALUE}")
    int callers = 48;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            defaultValue = "20",
            description = "How long each phase is. Default: ${DEFAULT-VALUE}")
    int seconds = 20;

    @Option(
            names = "--warm-up",
            paramLabel = "S",
            defaultValue = "30",
            description = "How long callers without a pause warm it up. Default: ${DEFAULT-VALUE}")
    int warmUpSeconds = 30;

    @Override
    public Integer call() throws Exception {
        Path root = options.makeDirectory("cost");
        CostPlan plan = new CostPlan(
                rates,
                callers,
                Duration.ofSeconds(seconds),
                Duration.ofSeconds(warmUpSeconds),
                cluster.brokers(),
                options.partitions(),
                cluster.processors(),
                cluster.gateways(),
                cluster.options());
        boolean allServed = new CostRun(plan, root, System.out).run();
        return options.exitCode(allServed, root);
    }
}
