package io.floodgate.verification.hostile.attack;

import static io.floodgate.verification.hostile.KafkaSender.bytes;

import io.floodgate.topics.Headers;
import io.floodgate.topics.Topics;
import io.floodgate.verification.hostile.KafkaSender;
import io.floodgate.verification.hostile.KafkaSender.Draft;
import io.floodgate.verification.hostile.LoneAttack;
import io.floodgate.verification.hostile.Target;

/** Messages in the name of other partitions; jobs that need true ones come in before and after. */
abstract class Forgery implements LoneAttack {
    /** Sends forged messages to one partition. */
    abstract void forge(int to, Target target, KafkaSender kafka);

    /** What else is to be seen once all are sent. */
    void look(Target target) throws Exception {}

    @Override
    public final boolean mayLogErrors() {
        return true;
    }

    @Override
    public final void run(Target target) throws Exception {
        Claims.make(target, "before");
        try (KafkaSender kafka = target.kafka()) {
            for (int to = 0; to < target.plan().partitions(); to++) forge(to, target, kafka);
            kafka.flush();
        }
        look(target);
        Claims.make(target, "after");
    }

    static Draft leased(int from, int to, long number) {
        String sender = "%s/%d".formatted(Topics.COMMANDS, from);
        return new Draft(to, bytes("{\"worker_id\":\"forged\",\"log\":\"%s\"}".formatted(sender)))
                .with(Headers.OP, "leased")
                .with(Headers.FROM, sender)
                .with(Headers.SEQUENCE, Long.toString(number));
    }
}
