package io.floodgate.verification.hostile.attack;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.Caller.Heard;
import io.floodgate.verification.hostile.LoneAttack;
import io.floodgate.verification.hostile.Target;

/** Each queue that an operator makes has a topic, and each topic takes memory of the broker: what is accepted must start again. */
public final class ExplicitQueues implements LoneAttack {
    private static final int TOO_MANY = 429;

    @Override
    public String name() {
        return "explicit-queues";
    }

    @Override
    public String what() {
        return "queues are made with topics of their own until no more are taken";
    }

    @Override
    public void run(Target target) throws Exception {
        int made = 0;
        try (Caller caller = target.caller()) {
            int most = target.scaled(6_000, 100);
            boolean full = false;
            while (made < most && !full && target.isAlive()) {
                Heard heard = caller.post(
                        "/ojs/v1/queues",
                        "{\"name\":\"made-%d\"}".formatted(made).getBytes(UTF_8));
                full = heard.status() == TOO_MANY;
                target.complainUnless(heard.isOk() || full, "a queue was answered " + heard.shown());
                made++;
            }
            target.complainUnless(full || target.isShort(), "%,d queues with topics, and no end".formatted(made));
        }
        target.note("%,d queues".formatted(made));
    }
}
