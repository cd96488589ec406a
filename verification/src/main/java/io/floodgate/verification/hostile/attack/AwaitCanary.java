package io.floodgate.verification.hostile.attack;

import io.floodgate.verification.client.Await;
import io.floodgate.verification.hostile.Target;
import java.time.Duration;

/** Time for the canary to notice. */
final class AwaitCanary {
    private AwaitCanary() {}

    /** So many seconds at least; as long again if what was sent must be worked off first. */
    static void rounds(Target target, int seconds) throws InterruptedException {
        Await.pause(Duration.ofSeconds(seconds));
        if (!target.isAlive())
            throw new IllegalStateException(
                    "the process died of " + target.server().log());
    }
}
