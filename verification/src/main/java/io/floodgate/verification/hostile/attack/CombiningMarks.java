package io.floodgate.verification.hostile.attack;

import static io.floodgate.verification.hostile.KafkaSender.bytes;

import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.Caller.Heard;
import io.floodgate.verification.hostile.Attack;
import io.floodgate.verification.hostile.KafkaSender;
import io.floodgate.verification.hostile.KafkaSender.Draft;
import io.floodgate.verification.hostile.RequestBodies;
import io.floodgate.verification.hostile.Target;

/** Unicode sorts the marks of a letter, in a time that grows with the square of their number, wherever a unique key is made. */
public final class CombiningMarks implements Attack {
    private static final int[] MARKS = {5_000, 40_000, 150_000};

    private int round;

    @Override
    public String name() {
        return "combining-marks";
    }

    @Override
    public String what() {
        return "unique jobs with 20 to 600 KB of combining marks, one by one and in batches, by HTTP, by Kafka, and by the topic of a queue";
    }

    @Override
    public void run(Target target) throws Exception {
        round++;
        String queue = target.queue("marks");
        String ingress = target.queueIn(target.partition(), "marks-" + round);
        try (Caller caller = target.caller();
                KafkaSender kafka = target.kafka()) {
            IngressTopics.create(caller, ingress);
            for (int marks : MARKS) {
                String job = job(queue, marks);
                for (int i = 0; i < target.scaled(20, 4); i++) {
                    Heard heard = caller.post(RequestBodies.JOBS, bytes(job));
                    target.complainUnless(
                            heard.status() == 400 || heard.status() == 422, "a job was answered " + heard.shown());
                    kafka.send(new Draft(target.partition(), bytes(job)));
                    kafka.send(new Draft(ingress, bytes(job(ingress, marks))));
                }
                String batch = "{\"jobs\":[" + (job + ",").repeat(19) + job + "]}";
                Heard heard = caller.post(RequestBodies.BATCH, bytes(batch));
                target.complainUnless(
                        heard.status() == 400 || heard.status() == 422, "a batch was answered " + heard.shown());
            }
            kafka.flush();
        }
        AwaitCanary.rounds(target, target.scaled(10, 3));
    }

    private static String job(String queue, int pairs) {
        return "{\"type\":\"a\",\"queue\":\"%s\",\"args\":[\"a%s\"],\"unique\":{\"keys\":[\"args\"]}}"
                .formatted(queue, "\u0316\u0301".repeat(pairs));
    }

    @Override
    public boolean canBeRepeated() {
        return true;
    }
}
