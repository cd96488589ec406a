package io.floodgate.verification.hostile.attack;

import static io.floodgate.verification.hostile.KafkaSender.bytes;

import io.floodgate.verification.client.Await;
import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.Caller.Heard;
import io.floodgate.verification.hostile.Attack;
import io.floodgate.verification.hostile.KafkaSender;
import io.floodgate.verification.hostile.KafkaSender.Draft;
import io.floodgate.verification.hostile.RequestBodies;
import io.floodgate.verification.hostile.Target;
import java.time.Duration;
import java.util.function.IntConsumer;

/** Unicode sorts the marks of a letter, in a time that grows with the square of their number, wherever a unique key is made. */
public final class CombiningMarks implements Attack {
    private static final int[] MARKS = {5_000, 40_000, 150_000};
    /** So that the canary waits for how long the records take, not for how many there are. */
    private static final Duration BETWEEN_RECORDS = Duration.ofMillis(100);

    private int round;

    @Override
    public String name() {
        return "combining-marks";
    }

    @Override
    public String what() {
        return "unique jobs with 20 to 600 KB of combining marks, one by one and in batches, by HTTP, by Kafka, by the topic of a queue, and unread when the server is killed";
    }

    @Override
    public void run(Target target) throws Exception {
        round++;
        String queue = target.queue("marks");
        String ingress = target.queueIn(target.partition(), "marks-" + round);
        try (Caller caller = target.caller();
                KafkaSender kafka = target.kafka()) {
            IngressTopics.create(caller, ingress);
            IntConsumer toCommands = marks -> kafka.send(new Draft(target.partition(), bytes(job(queue, marks))));
            IntConsumer toQueue = marks -> kafka.send(new Draft(ingress, bytes(job(ingress, marks))));
            target.endPhase("before");
            phase(target, "HTTP", marks -> post(target, caller, RequestBodies.JOBS, job(queue, marks)));
            phase(target, "batches", marks -> post(target, caller, RequestBodies.BATCH, batch(queue, marks)));
            phase(target, "ojs.commands", slowly(toCommands));
            phase(target, "ojs.queue.*", slowly(toQueue));
            for (int marks : MARKS) {
                for (int i = 0; i < target.scaled(20, 4); i++) {
                    toCommands.accept(marks);
                    toQueue.accept(marks);
                }
            }
            kafka.flush();
        }
        target.killAndRestart();
        AwaitCanary.rounds(target, target.scaled(35, 3));
        target.endPhase("after kill -9");
    }

    private static void phase(Target target, String name, IntConsumer attack) {
        long end = System.nanoTime() + target.scaled(35, 3) * 1_000_000_000L;
        do {
            for (int marks : MARKS) attack.accept(marks);
        } while (System.nanoTime() < end && target.isAlive());
        target.endPhase(name);
    }

    private static IntConsumer slowly(IntConsumer attack) {
        return marks -> {
            attack.accept(marks);
            try {
                Await.pause(BETWEEN_RECORDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        };
    }

    private static void post(Target target, Caller caller, String path, String body) {
        Heard heard = caller.post(path, bytes(body));
        target.complainUnless(
                heard.status() == 400 || heard.status() == 422, "%s was answered %s".formatted(path, heard.shown()));
    }

    private static String batch(String queue, int pairs) {
        String job = job(queue, pairs);
        return "{\"jobs\":[" + (job + ",").repeat(19) + job + "]}";
    }

    private static String job(String queue, int pairs) {
        return "{\"type\":\"a\",\"queue\":\"%s\",\"args\":[\"a%s\"],\"unique\":{\"keys\":[\"args\"]}}"
                .formatted(queue, "\u0316\u0301".repeat(pairs));
    }

    @Override
    public boolean leavesTraces() {
        return false; // it has killed the server itself
    }
}
