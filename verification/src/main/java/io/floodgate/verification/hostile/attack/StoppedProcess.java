package io.floodgate.verification.hostile.attack;

import io.floodgate.verification.hostile.Attack;
import io.floodgate.verification.hostile.Target;
import java.time.Duration;

/** Longer than sessions and transactions last: a laptop that was closed, a machine that was moved. */
public final class StoppedProcess implements Attack {
    private static final Duration BACK_WITHIN = Duration.ofSeconds(10);

    @Override
    public String name() {
        return "stopped-process";
    }

    @Override
    public String what() {
        return "the process is stopped for 30 s, and continued";
    }

    @Override
    public boolean mayLogErrors() {
        return true;
    }

    @Override
    public boolean leavesTraces() {
        return false;
    }

    @Override
    public void run(Target target) throws Exception {
        target.whileCanaryIsSilent(() -> {
            Process thaw = target.server().freeze(Duration.ofSeconds(target.scaled(30, 14)));
            thaw.waitFor();
            long begun = System.nanoTime();
            target.awaitService("continued");
            target.complainUnless(
                    System.nanoTime() - begun < BACK_WITHIN.plusSeconds(5).toNanos(),
                    "it took more than %d s to serve again".formatted(BACK_WITHIN.toSeconds()));
        });
        AwaitCanary.rounds(target, 5);
    }
}
