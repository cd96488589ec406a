package io.floodgate.standalone;

import io.floodgate.standalone.metrics.ProcessMetrics;
import io.floodgate.standalone.settings.SettingSource;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.worker.Worker;
import io.floodgate.worker.WorkerState;
import io.floodgate.worker.example.ExampleWorker;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(name = "worker", description = "An example worker: takes jobs from Kafka and logs them.")
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
            description = "Queues to fetch from, most urgent first. Default: default")
    List<String> queues = List.of("default");

    @Option(
            names = "--concurrency",
            paramLabel = "N",
            defaultValue = "10",
            description = "Maximum number of jobs that run at the same time.")
    int concurrency = 10;

    @Option(
            names = "--journal",
            paramLabel = "DIR",
            description = "Directory where this worker stores the outcomes that Kafka has not accepted, so that"
                    + " they survive a restart. One directory per worker. Default: none.")
    @Nullable
    Path journal;

    @Mixin
    MetricsPortOptions metricsPort = new MetricsPortOptions();

    WorkerRole(SettingSource settings) {
        this.settings = settings;
    }

    @Override
    public Integer call() throws InterruptedException, ExecutionException {
        try (var running = Running.untilTheProcessEnds()) {
            var metrics = running.add("metrics", new ProcessMetrics());
            var builder = cluster.worker(settings, metrics).node(node.name()).meters(metrics.registry());
            if (journal != null) builder.journal(journal);
            var worker = running.add("worker", ExampleWorker.start(builder, queues, concurrency));
            metricsPort.serve(running, () -> worker.state() == WorkerState.RUNNING, () -> standing(worker), metrics);
            System.out.printf("The worker %s takes jobs from %s%n", worker.id(), String.join(", ", queues));
            // A server may tell a worker to end.
            worker.closed().get();
        }
        return 0;
    }

    private static String standing(Worker worker) {
        WorkerState state = worker.state();
        return JsonOut.object()
                .field("ready", state == WorkerState.RUNNING)
                .field("state", state.name().toLowerCase(Locale.ROOT))
                .field("worker", worker.id())
                .endObject()
                .toString();
    }
}
