package io.floodgate.worker.example;

import io.floodgate.worker.Worker;
import io.floodgate.worker.WorkerBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** A worker that handles the demo's jobs by logging them: what {@code floodgate worker} runs. Copy it to write your own. */
public final class ExampleWorker {
    /** Closing waits for a parked fetch, and the wait after Ctrl-C should be short. */
    private static final Duration PARK = Duration.ofSeconds(2);

    private ExampleWorker() {}

    /** Works until the process ends, or the server directs the worker to terminate. */
    public static void main(String[] args) {
        Map<String, Object> kafka = Map.of("bootstrap.servers", args[0]);
        Worker worker = start(Worker.kafka(kafka), List.of("default"), 10);
        Runtime.getRuntime().addShutdownHook(new Thread(worker::close, "worker-shutdown"));
        worker.closed().join();
    }

    /** Adds queues and handlers to what is set already, and starts. */
    public static Worker start(WorkerBuilder worker, List<String> queues, int concurrency) {
        return DemoHandlers.addTo(worker)
                .queues(queues)
                .concurrency(concurrency)
                .park(PARK)
                .start();
    }
}
