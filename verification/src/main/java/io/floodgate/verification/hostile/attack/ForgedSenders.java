package io.floodgate.verification.hostile.attack;

import static io.floodgate.verification.hostile.KafkaSender.bytes;

import io.floodgate.topics.Headers;
import io.floodgate.topics.Topics;
import io.floodgate.verification.hostile.Attack;
import io.floodgate.verification.hostile.KafkaSender;
import io.floodgate.verification.hostile.KafkaSender.Draft;
import io.floodgate.verification.hostile.Target;

/** A log that believes a stranger takes the next true message for one it has had. */
public final class ForgedSenders implements Attack {
    @Override
    public String name() {
        return "forged-senders";
    }

    @Override
    public String what() {
        return "messages in the name of other logs, with numbers that are yet to come; then jobs that need true ones";
    }

    @Override
    public boolean needsItsOwnServer() {
        return true;
    }

    @Override
    public boolean mayLogErrors() {
        return true;
    }

    @Override
    public void run(Target target) throws Exception {
        int logs = target.plan().partitions();
        Claims.make(target, "before");
        try (KafkaSender kafka = target.kafka()) {
            for (int to = 0; to < logs; to++)
                for (int from = 0; from < logs; from++)
                    for (long number : new long[] {1, 2, 3, 50, Long.MAX_VALUE})
                        kafka.send(new Draft(to, bytes("{\"worker_id\":\"forged\",\"log\":\"ojs.commands/0\"}"))
                                .with(Headers.OP, "leased")
                                .with(Headers.FROM, "%s/%d".formatted(Topics.COMMANDS, from))
                                .with(Headers.SEQUENCE, Long.toString(number)));
            for (String from : new String[] {"", "ojs.commands/99", "ojs.queue.x/0", "x".repeat(1_000_000), "\n"})
                kafka.send(new Draft(target.partition(), bytes("{}"))
                        .with(Headers.OP, "place")
                        .with(Headers.FROM, from)
                        .with(Headers.SEQUENCE, "1"));
            kafka.flush();
        }
        Claims.make(target, "after");
    }
}
