package io.floodgate.verification.hostile;

import static io.floodgate.verification.client.RequestBodies.BATCH;
import static io.floodgate.verification.client.RequestBodies.JOBS;
import static io.floodgate.verification.client.RequestBodies.batch;
import static io.floodgate.verification.hostile.RequestSender.post;
import static io.floodgate.verification.hostile.RequestSender.status;

import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.Pause;
import io.floodgate.verification.client.RequestBodies;
import io.floodgate.verification.hostile.KafkaSender.Draft;
import java.time.Duration;
import java.util.Collections;
import java.util.function.IntFunction;

/** Unicode sorts the marks of a letter, in a time that grows with the square of their number, for every unique key. */
final class CombiningMarks {
    private static final int[] MARKS = {5_000, 40_000, 150_000};
    /** So that the canary waits for how long the records take, not for how many there are. */
    private static final Duration BETWEEN_RECORDS = Duration.ofMillis(100);

    private CombiningMarks() {}

    static void run(Target target) throws Exception {
        String queue = target.queue("marks");
        String ingress = target.queueIn(target.partition(), "marks-of-" + System.nanoTime());
        IntFunction<Draft> toCommands = i -> new Draft(target.partition(), job(queue, i));
        IntFunction<Draft> toQueue = i -> new Draft(ingress, job(ingress, i));
        try (Caller caller = target.caller();
                KafkaSender kafka = target.kafka()) {
            IngressTopics.create(caller, ingress);
            target.endPhase("before");
            post(JOBS, same -> i -> job(queue, i))
                    .during(35, 3)
                    .answered(status(400, 422))
                    .run(target);
            target.endPhase("HTTP");
            post(BATCH, same -> i -> batch(Collections.nCopies(20, job(queue, i))))
                    .during(35, 3)
                    .answered(status(400, 422))
                    .run(target);
            target.endPhase("batches");
            sendSlowly(toCommands, kafka, target);
            target.endPhase("ojs.commands");
            sendSlowly(toQueue, kafka, target);
            target.endPhase("ojs.queue.*");
            for (int i = 0; i < target.scaled(60, 12); i++) {
                kafka.send(toCommands.apply(i));
                kafka.send(toQueue.apply(i));
            }
            kafka.flush();
        }
        target.killAndRestart();
        target.listen(target.scaled(35, 3));
        target.endPhase("after kill -9");
    }

    private static void sendSlowly(IntFunction<Draft> records, KafkaSender kafka, Target target) {
        long end = System.nanoTime() + target.scaled(35, 3) * 1_000_000_000L;
        for (int i = 0; System.nanoTime() < end && target.isAlive(); i++) {
            kafka.send(records.apply(i));
            Pause.of(BETWEEN_RECORDS);
        }
    }

    private static byte[] job(String queue, int number) {
        return RequestBodies.json(
                "{'type':'a','queue':'%s','args':['a%s'],'unique':{'keys':['args']}}",
                queue, "\u0316\u0301".repeat(MARKS[number % MARKS.length]));
    }
}
