package io.floodgate.verification.hostile.attack;

import static io.floodgate.verification.hostile.KafkaSender.bytes;

import io.floodgate.topics.Headers;
import io.floodgate.topics.Topics;
import io.floodgate.verification.hostile.Attack;
import io.floodgate.verification.hostile.KafkaSender;
import io.floodgate.verification.hostile.KafkaSender.Draft;
import io.floodgate.verification.hostile.Target;

/** Numbers that no partition has given out yet, so that its own messages look old. */
public final class ForgedNumbers implements Attack {
    private static final long FIRST = Long.MAX_VALUE - 100_000;

    /** More than a receiver remembers. */
    private static final int NUMBERS = 4_097;

    @Override
    public String name() {
        return "forged-numbers";
    }

    @Override
    public String what() {
        return "messages by Kafka that claim to come from other partitions, with huge numbers and all before them acknowledged";
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
                    if (from != to)
                        for (long number = FIRST; number < FIRST + NUMBERS; number++)
                            kafka.send(new Draft(
                                            to,
                                            bytes("{\"worker_id\":\"x\",\"log\":\"%s/%d\"}"
                                                    .formatted(Topics.COMMANDS, from)))
                                    .with(Headers.OP, "leased")
                                    .with(Headers.FROM, "%s/%d".formatted(Topics.COMMANDS, from))
                                    .with(Headers.SEQUENCE, Long.toString(number))
                                    .with(Headers.ACKED, Long.toString(number - 1)));
            kafka.flush();
        }
        target.complainUnless(target.shows("messages_lost"), "neither /ready nor /metrics shows messages_lost");
        AwaitCanary.rounds(target, 3);
        Claims.make(target, "after");
    }

    /** Each partition has 30,000 records more to read. */
    @Override
    public int refusedRounds() {
        return 50;
    }
}
