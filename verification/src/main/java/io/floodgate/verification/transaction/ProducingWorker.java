package io.floodgate.verification.transaction;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.floodgate.verification.client.Caller;
import io.floodgate.verification.process.ChildMain;
import io.floodgate.worker.JobContext;
import io.floodgate.worker.JobTransaction;
import io.floodgate.worker.Worker;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Produces two records for each job, on two partitions. Some handlers fail first; some jobs are cancelled while they end. */
final class ProducingWorker {
    static final String TYPE = "crash.produce";
    static final int PARTITIONS = 4;
    /** One job of this number. */
    private static final int FAILS = 20;

    private static final int IS_CANCELLED = 50;
    private static final int LONGEST_MS = 20;
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private ProducingWorker() {}

    /** @param arguments Kafka brokers, address of the API, queue, topic, handlers at once, and how long leases last in milliseconds */
    public static void main(String... arguments) {
        ChildMain.endWithParent();
        String topic = arguments[3];
        Caller caller = new Caller(arguments[1], PATIENCE);
        Worker worker = Worker.kafka(Map.of("bootstrap.servers", arguments[0]))
                .queues(arguments[2])
                .concurrency(Integer.parseInt(arguments[4]))
                .visibility(Duration.ofMillis(Long.parseLong(arguments[5])))
                .heartbeat(Duration.ofMillis(Long.parseLong(arguments[5]) / 3))
                .handleTransactionally(TYPE, (context, transaction) -> handle(context, transaction, topic, caller))
                .start();
        worker.closed().join();
    }

    private static String handle(JobContext context, JobTransaction transaction, String topic, Caller caller)
            throws InterruptedException {
        String id = context.job().id().toString();
        int number = context.args().path(0).asInt();
        String token = UUID.randomUUID().toString();
        for (int i : List.of(0, 1))
            transaction.send(
                    new ProducerRecord<>(topic, (number + i) % PARTITIONS, id.getBytes(UTF_8), token.getBytes(UTF_8)));
        if (number % IS_CANCELLED == 1) Thread.startVirtualThread(() -> cancel(id, caller));
        TimeUnit.MILLISECONDS.sleep(ThreadLocalRandom.current().nextInt(LONGEST_MS));
        if (number % FAILS == 3 && context.job().attempt() == 1) throw new IllegalStateException("once");
        return token;
    }

    private static void cancel(String id, Caller caller) {
        try {
            TimeUnit.MILLISECONDS.sleep(ThreadLocalRandom.current().nextInt(2 * LONGEST_MS));
            var unused = caller.call("DELETE", "/ojs/v1/jobs/" + id, new byte[0]);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
