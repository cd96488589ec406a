package io.floodgate.standalone;

import io.floodgate.standalone.settings.SettingSource;
import io.floodgate.worker.example.ExampleWorker;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(name = "worker", description = "The example worker: it takes jobs from the log and says what it would do.")
final class WorkerRole implements Callable<Integer> {
    private final SettingSource settings;

    @Mixin
    ClusterOptions cluster = new ClusterOptions();

    @Mixin
    NodeOptions node = new NodeOptions();

    @Option(
            names = "--queues",
            paramLabel = "NAME,...",
            split = ",",
            description = "The queues to take jobs from, the most urgent first. Default: default,demo")
    List<String> queues = List.of("default", Standalone.DEMO_QUEUE);

    @Option(
            names = "--concurrency",
            paramLabel = "N",
            defaultValue = "10",
            description = "How many jobs may be in work at the same time.")
    int concurrency = 10;

    @Option(
            names = "--journal",
            paramLabel = "DIR",
            description =
                    "Where outcomes wait that Kafka does not take, so that they survive the worker: a directory for this worker alone. Default: none.")
    @Nullable
    Path journal;

    WorkerRole(SettingSource settings) {
        this.settings = settings;
    }

    @Override
    public Integer call() throws InterruptedException {
        try (var running = Running.untilTheProcessEnds()) {
            var builder = cluster.worker(settings).node(node.name());
            if (journal != null) builder.journal(journal);
            var worker = running.add("worker", ExampleWorker.start(builder, queues, concurrency));
            System.out.printf("The worker %s takes jobs from %s%n", worker.id(), String.join(", ", queues));
            // A server may tell a worker to end.
            worker.closed().join();
        }
        return 0;
    }
}
