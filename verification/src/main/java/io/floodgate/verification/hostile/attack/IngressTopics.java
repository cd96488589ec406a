package io.floodgate.verification.hostile.attack;

import static io.floodgate.verification.hostile.KafkaSender.bytes;

import io.floodgate.verification.client.Await;
import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.Caller.Heard;
import io.floodgate.verification.hostile.Target;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeoutException;

/** Queues with topics of their own. */
final class IngressTopics {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration A_WHILE = Duration.ofSeconds(5);

    private IngressTopics() {}

    static void create(Caller caller, String queue) throws IOException {
        Heard heard = caller.post("/ojs/v1/queues", bytes("{\"name\":\"%s\"}".formatted(queue)));
        if (!heard.isOk() && heard.status() != 409) throw new IOException("a queue was answered " + heard.shown());
    }

    static long depth(Caller caller, String queue) {
        return caller.get("/ojs/v1/queues/" + queue).body().path("depth").longValue(-1);
    }

    /** As long as more of them arrive. */
    static void awaitDepth(Target target, Caller caller, String queue, long jobs) throws InterruptedException {
        long before = Long.MIN_VALUE;
        long now = depth(caller, queue);
        while (now < jobs && now > before) {
            before = now;
            now = awaitMore(caller, queue, now, jobs);
        }
        target.complainUnless(
                now >= jobs, "of %d jobs that Kafka has acknowledged, %d are in %s".formatted(jobs, now, queue));
    }

    private static long awaitMore(Caller caller, String queue, long before, long enough) throws InterruptedException {
        try {
            Await.until("more jobs are in " + queue, PATIENCE, () -> depth(caller, queue) > before);
            Await.until("all jobs are in " + queue, A_WHILE, () -> depth(caller, queue) >= enough);
        } catch (TimeoutException notAll) {
            // the caller looks at how many there are
        }
        return depth(caller, queue);
    }
}
