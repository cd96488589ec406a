package io.floodgate.verification.hostile.attack;

import io.floodgate.verification.client.Await;
import io.floodgate.verification.hostile.Target;
import java.time.Duration;

/** Time for the canary to notice. */
final class AwaitCanary {
    private AwaitCanary() {}

    /** At least {@code seconds} seconds; as long again if the backlog must be processed first. */
    static void rounds(Target target, int seconds) throws InterruptedException {
        Await.pause(Duration.ofSeconds(seconds));
        if (!target.isAlive())
            throw new IllegalStateException(
                    "the process died of " + target.server().log());
    }
}
