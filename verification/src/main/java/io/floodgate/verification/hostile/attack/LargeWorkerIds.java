package io.floodgate.verification.hostile.attack;

import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.Caller.Heard;
import io.floodgate.verification.hostile.Attack;
import io.floodgate.verification.hostile.RequestBodies;
import io.floodgate.verification.hostile.Swarm;
import io.floodgate.verification.hostile.Target;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Whatever remembers who has asked remembers a megabyte. */
public final class LargeWorkerIds implements Attack {
    private static final int CALLERS = 4;
    private static final int BYTES = 1_000_000;

    @Override
    public String name() {
        return "large-worker-ids";
    }

    @Override
    public String what() {
        return "fetches with distinct worker ids of 1 MB";
    }

    @Override
    public boolean canBeRepeated() {
        return true;
    }

    @Override
    public void run(Target target) throws Exception {
        String queue = target.queue("ids");
        AtomicInteger left = new AtomicInteger(target.scaled(1_200, 100));
        AtomicInteger taken = new AtomicInteger();
        Swarm.run(CALLERS, number -> {
            try (Caller caller = target.caller()) {
                while (left.getAndDecrement() > 0 && target.isAlive()) {
                    Heard heard = caller.post(
                            RequestBodies.FETCH, RequestBodies.fetch(List.of(queue), RequestBodies.text(BYTES), 1, 0));
                    if (heard.isOk()) taken.incrementAndGet();
                }
            }
        });
        target.complainUnless(taken.get() == 0, "%d worker ids of 1 MB were taken".formatted(taken.get()));
    }
}
