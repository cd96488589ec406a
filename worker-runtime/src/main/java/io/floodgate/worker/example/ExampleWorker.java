package io.floodgate.worker.example;

import io.floodgate.topics.Routing;
import io.floodgate.topics.client.ClientConfig;
import io.floodgate.topics.client.CommandClient;
import io.floodgate.topics.client.Provisioner;
import io.floodgate.worker.Worker;
import io.floodgate.worker.WorkerBuilder;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A worker that handles the demo's jobs by logging them: what {@code floodgate worker} runs. Copy it to write your own. */
public final class ExampleWorker {
    private static final Logger LOG = LoggerFactory.getLogger(ExampleWorker.class);
    /** Closing waits for a parked fetch, and nobody likes to wait after Ctrl-C. */
    private static final Duration PARK = Duration.ofSeconds(2);

    private ExampleWorker() {}

    /** Works on a client that the caller closes, after the worker. */
    public static Worker start(CommandClient client, List<String> queues, int concurrency) {
        return start(Worker.builder().client(client), queues, concurrency);
    }

    /**
     * The same, with meters.
     *
     * @param journal the directory where outcomes wait that the log does not take; none to keep them in memory
     */
    public static Worker start(
            CommandClient client, List<String> queues, int concurrency, MeterRegistry meters, @Nullable Path journal) {
        WorkerBuilder builder = Worker.builder().client(client).meters(meters);
        return start(journal == null ? builder : builder.journal(journal), queues, concurrency);
    }

    /**
     * Works until the process is told to stop or the server tells the worker to terminate.
     *
     * @param kafka {@code bootstrap.servers} and whatever else Kafka clients need
     * @return the exit code
     */
    public static int run(Map<String, Object> kafka, List<String> queues, int concurrency) {
        ClientConfig config = new ClientConfig(kafka, routing(kafka), ClientConfig.DEFAULT_MAX_IN_FLIGHT);
        Worker worker = start(Worker.builder().client(config), queues, concurrency);
        Thread closing = new Thread(worker::close, "floodgate-worker-shutdown");
        Runtime.getRuntime().addShutdownHook(closing);
        LOG.info("{} takes jobs from {}, {} at a time.", worker.id(), queues, concurrency);
        worker.closed().join();
        return 0;
    }

    private static Worker start(WorkerBuilder builder, List<String> queues, int concurrency) {
        return DemoHandlers.addTo(builder)
                .queues(queues)
                .concurrency(concurrency)
                .park(PARK)
                .start();
    }

    private static Routing routing(Map<String, Object> kafka) {
        try (Provisioner cluster = new Provisioner(kafka)) {
            return cluster.routing()
                    .orElseThrow(() -> new IllegalStateException(
                            "This Kafka cluster has no Floodgate topics. Start a Floodgate processor first."));
        }
    }
}
