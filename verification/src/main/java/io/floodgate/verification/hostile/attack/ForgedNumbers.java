package io.floodgate.verification.hostile.attack;

import io.floodgate.topics.Headers;
import io.floodgate.verification.client.Await;
import io.floodgate.verification.hostile.KafkaSender;
import io.floodgate.verification.hostile.Target;
import java.time.Duration;

/** Numbers that no partition has given out yet, so that its own messages look old. */
public final class ForgedNumbers extends Forgery {
    private static final long FIRST = Long.MAX_VALUE - 100_000;

    private static final Duration READ_WITHIN = Duration.ofSeconds(60);

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

    /** Each partition has 30,000 records more to read. */
    @Override
    public boolean holdsUpItsPartition() {
        return true;
    }

    @Override
    void forge(int to, Target target, KafkaSender kafka) {
        for (int from = 0; from < target.plan().partitions(); from++)
            if (from != to)
                for (long number = FIRST; number < FIRST + NUMBERS; number++)
                    kafka.send(leased(from, to, number).with(Headers.ACKED, Long.toString(number - 1)));
    }

    @Override
    void look(Target target) throws Exception {
        // Each partition reads them all first.
        Await.until("/ready or /metrics shows messages_lost", READ_WITHIN, () -> target.shows("messages_lost"));
        AwaitCanary.rounds(target, target.scaled(20, 3));
    }
}
