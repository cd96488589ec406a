package io.floodgate.verification.fault;

import io.floodgate.verification.process.ChildMain;
import io.floodgate.worker.JobContext;
import io.floodgate.worker.Worker;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** Handles jobs once a file is there, by when its server is gone, and says when each outcome was there. */
final class JournalingWorker {
    private static final Duration LOOK = Duration.ofMillis(20);

    private JournalingWorker() {}

    /** @param arguments Kafka brokers, directory, queue, the file, and within how many milliseconds jobs end then */
    public static void main(String... arguments) {
        ChildMain.endWithParent();
        Path go = Path.of(arguments[3]);
        int millis = Integer.parseInt(arguments[4]);
        Worker worker = Worker.kafka(Map.of("bootstrap.servers", arguments[0]))
                .journal(Path.of(arguments[1]))
                .queues(arguments[2])
                .concurrency(ClientRun.JOBS)
                .handle(ClientRun.TYPE, context -> handle(context, go, millis))
                .start();
        worker.closed().join();
    }

    private static String handle(JobContext context, Path go, int millis) throws InterruptedException {
        String id = context.job().id().toString();
        System.out.println(ClientRun.BEGUN + id);
        while (!Files.exists(go)) TimeUnit.MILLISECONDS.sleep(LOOK.toMillis());
        TimeUnit.MILLISECONDS.sleep(ThreadLocalRandom.current().nextInt(millis));
        System.out.println(ClientRun.ENDED + id + " " + System.currentTimeMillis());
        return "x".repeat(200);
    }
}
