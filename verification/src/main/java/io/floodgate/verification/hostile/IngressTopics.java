package io.floodgate.verification.hostile;

import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.Caller.Heard;
import io.floodgate.verification.client.Pause;
import io.floodgate.verification.client.RequestBodies;
import java.io.IOException;
import java.time.Duration;

/** Queues with topics of their own. */
final class IngressTopics {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(200);

    private IngressTopics() {}

    /** Returns its name. */
    static String create(Caller caller, String queue) throws IOException {
        Heard heard = caller.post("/ojs/v1/queues", RequestBodies.json("{'name':'%s'}", queue));
        if (!heard.isOk() && heard.status() != 409) throw new IOException("a queue was answered " + heard.shown());
        return queue;
    }

    /** Waits for as long as more jobs arrive. */
    static void awaitDepth(Target target, Caller caller, String queue, long jobs) {
        long most = 0;
        for (long last = System.nanoTime(); most < jobs && System.nanoTime() - last < PATIENCE.toNanos(); ) {
            long depth =
                    caller.get("/ojs/v1/queues/" + queue).body().path("depth").longValue(0);
            if (depth > most) last = System.nanoTime();
            most = Math.max(most, depth);
            Pause.of(BETWEEN_LOOKS);
        }
        target.complainUnless(
                most >= jobs, "of %d jobs that Kafka has acknowledged, %d are in %s".formatted(jobs, most, queue));
    }
}
