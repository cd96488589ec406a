package io.floodgate.verification.hostile.attack;

import static io.floodgate.verification.hostile.KafkaSender.bytes;

import io.floodgate.topics.Headers;
import io.floodgate.verification.hostile.KafkaSender;
import io.floodgate.verification.hostile.KafkaSender.Draft;
import io.floodgate.verification.hostile.Target;
import java.util.List;

/** A log that believes a stranger takes the next true message for one it has had. */
public final class ForgedSenders extends Forgery {
    private static final List<Long> NUMBERS = List.of(1L, 2L, 3L, 50L, Long.MAX_VALUE);
    private static final List<String> NO_SENDERS =
            List.of("", "ojs.commands/99", "ojs.queue.x/0", "x".repeat(1_000_000), "\n");

    @Override
    public String name() {
        return "forged-senders";
    }

    @Override
    public String what() {
        return "messages in the name of other partitions, with numbers that are yet to come; then jobs that need true ones";
    }

    @Override
    void forge(int to, Target target, KafkaSender kafka) {
        for (int from = 0; from < target.plan().partitions(); from++)
            for (long number : NUMBERS) kafka.send(leased(from, to, number));
        if (to != target.partition()) return;
        for (String from : NO_SENDERS)
            kafka.send(new Draft(to, bytes("{}"))
                    .with(Headers.OP, "place")
                    .with(Headers.FROM, from)
                    .with(Headers.SEQUENCE, "1"));
    }
}
