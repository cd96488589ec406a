package io.floodgate.standalone;

import io.floodgate.standalone.settings.SettingSource;
import io.floodgate.worker.example.ExampleWorker;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(name = "worker", description = "The example worker: it takes jobs from the log and says what it would do.")
final class WorkerRole implements Callable<Integer> {
    private final SettingSource settings;

    @Mixin
    ClusterOptions cluster = new ClusterOptions();

    @Option(
            names = "--queues",
            paramLabel = "NAME,...",
            split = ",",
            description = "The queues to take jobs from, the most urgent first. Default: default,demo")
    List<String> queues = List.of("default", Up.DEMO_QUEUE);

    @Option(
            names = "--concurrency",
            paramLabel = "N",
            defaultValue = "10",
            description = "How many jobs may be in work at the same time.")
    int concurrency = 10;

    WorkerRole(SettingSource settings) {
        this.settings = settings;
    }

    @Override
    public Integer call() {
        return ExampleWorker.run(cluster.clients(settings), queues, concurrency);
    }
}
