package io.floodgate.bench.run;

import io.floodgate.bench.load.Load;
import io.floodgate.bench.load.LoadOperation;
import io.floodgate.bench.load.Measurement;
import io.floodgate.worker.Worker;
import io.floodgate.worker.WorkerConnection;
import java.time.Duration;
import java.util.Map;

/** How soon a waiting worker has a job, without HTTP: the worker runtime on one side, a command client on the other. */
public final class PartitionHandoffRun {
    private static final Duration PARKED = Duration.ofSeconds(2);

    private PartitionHandoffRun() {}

    public static Measurement run(Settings settings, int workers) throws Exception {
        String how = "enqueue to start of handler, worker runtime; %s"
                .formatted(settings.loop("%d parked workers".formatted(workers)));
        try (PartitionTarget log = PartitionTarget.connect(settings, "log-handoff", 1);
                WorkerConnection connection =
                        WorkerConnection.kafka(Map.of("bootstrap.servers", settings.bootstrap()))) {
            Load load = settings.load(Math.max(1, workers / 2));
            Handoffs handoffs = new Handoffs(load);
            // Each fetches by itself: with one, a job would wait for the fetch loop to come round again.
            Worker[] parked = new Worker[workers];
            try {
                for (int i = 0; i < workers; i++) parked[i] = park(connection, log.queue(), handoffs, i);
                Measurement sending = load.onVirtualThreads("sending", how, "jobs", caller -> sending(log, handoffs));
                return handoffs.measured("log-handoff", how, sending);
            } finally {
                close(parked);
            }
        }
    }

    private static Worker park(WorkerConnection connection, String queue, Handoffs handoffs, int number) {
        return Worker.on(connection)
                .id("bench-parked-log-" + number)
                .queues(queue)
                .concurrency(1)
                .park(PARKED)
                .handle(JobBodies.TYPE, context -> {
                    handoffs.started(context.args().get(0).longValue());
                    return null;
                })
                .start();
    }

    private static LoadOperation sending(PartitionTarget log, Handoffs handoffs) {
        return due -> {
            long number = handoffs.send(due);
            boolean sent = false;
            try {
                log.enqueue(number);
                sent = true;
            } finally {
                if (!sent) handoffs.notSent(number);
            }
            return 1;
        };
    }

    /** All at once: each waits for its parked fetch. */
    private static void close(Worker[] workers) throws InterruptedException {
        Thread[] closing = new Thread[workers.length];
        for (int i = 0; i < workers.length; i++) {
            Worker worker = workers[i];
            closing[i] = Thread.startVirtualThread(() -> {
                if (worker != null) worker.close();
            });
        }
        for (Thread thread : closing) thread.join();
    }
}
