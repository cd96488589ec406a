package io.floodgate.verification.hostile.attack;

import static io.floodgate.verification.hostile.KafkaSender.bytes;

import io.floodgate.verification.client.Caller;
import io.floodgate.verification.hostile.Attack;
import io.floodgate.verification.hostile.KafkaSender;
import io.floodgate.verification.hostile.KafkaSender.Draft;
import io.floodgate.verification.hostile.Target;
import java.util.ArrayList;
import java.util.List;

/** Records in the topic of one queue that cannot be read, and jobs in those of others. */
public final class PoisonedIngress implements Attack {
    private static final int QUEUES = 6;
    private static final List<String> POISON = List.of(
            " {\"k\" : \"[\",\"type\":\"a\",\"args\":[]}",
            "\r\n\t {\"\\\":[\":1,\"type\":\"a\",\"args\":[]}",
            "{ \"k\\\\\" : [\"}]{[\"] ,\"type\":\"a\",\"args\":[]}",
            "{\"type\":\"a\",\"args\":",
            "[[[[",
            "");

    private int round;

    @Override
    public String name() {
        return "poisoned-ingress";
    }

    @Override
    public String what() {
        return "records that cannot be read in the topic of one queue, jobs in those of others";
    }

    @Override
    public void run(Target target) throws Exception {
        round++;
        int jobs = target.scaled(1_000, 100);
        List<String> queues = new ArrayList<>();
        try (Caller caller = target.caller();
                KafkaSender kafka = target.kafka()) {
            for (int i = 0; i <= QUEUES; i++) {
                queues.add(target.queueIn(i, "ingress-%d-%d".formatted(round, i)));
                IngressTopics.create(caller, queues.getLast());
            }
            String evil = queues.removeFirst();
            for (int i = 0; i < jobs; i++) {
                kafka.send(new Draft(evil, bytes(POISON.get(i % POISON.size()))));
                for (String queue : queues) kafka.send(new Draft(queue, bytes("{\"type\":\"a\",\"args\":[]}")));
                if (i % 10 == 0) kafka.flush();
            }
            kafka.flush();
            for (String queue : queues) IngressTopics.awaitDepth(target, caller, queue, jobs);
            kafka.sendAndWait(new Draft(evil, bytes("{\"type\":\"a\",\"args\":[]}")));
            IngressTopics.awaitDepth(target, caller, evil, 1);
        }
        AwaitCanary.rounds(target, target.scaled(10, 3));
    }

    @Override
    public boolean canBeRepeated() {
        return true;
    }
}
