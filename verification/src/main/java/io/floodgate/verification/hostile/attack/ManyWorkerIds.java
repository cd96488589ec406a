package io.floodgate.verification.hostile.attack;

import io.floodgate.verification.client.Caller;
import io.floodgate.verification.hostile.Attack;
import io.floodgate.verification.hostile.RequestBodies;
import io.floodgate.verification.hostile.Swarm;
import io.floodgate.verification.hostile.Target;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** A worker that names itself again each time. */
public final class ManyWorkerIds implements Attack {
    private static final int CALLERS = 16;

    @Override
    public String name() {
        return "many-worker-ids";
    }

    @Override
    public String what() {
        return "fetches that name another worker each time";
    }

    @Override
    public void run(Target target) throws Exception {
        String queue = target.queue("ids");
        int all = target.scaled(200_000, 3_000);
        AtomicInteger left = new AtomicInteger(all);
        Swarm.run(CALLERS, number -> {
            try (Caller caller = target.caller()) {
                for (int i = left.getAndDecrement(); i > 0 && target.isAlive(); i = left.getAndDecrement())
                    caller.post(RequestBodies.FETCH, RequestBodies.fetch(List.of(queue), "worker-number-" + i, 1, 0));
            }
        });
        target.note("%,d workers".formatted(all));
    }
}
