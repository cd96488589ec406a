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
final class Inlets {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private Inlets() {}

    static void create(Caller caller, String queue) throws IOException {
        Heard heard = caller.post("/ojs/v1/queues", bytes("{\"name\":\"%s\"}".formatted(queue)));
        if (!heard.isOk() && heard.status() != 409) throw new IOException("a queue was answered " + heard.shown());
    }

    static long depth(Caller caller, String queue) {
        return caller.get("/ojs/v1/queues/" + queue).body().path("depth").longValue(-1);
    }

    static void awaitDepth(Target target, Caller caller, String queue, long jobs) throws InterruptedException {
        try {
            Await.until("%d jobs are in %s".formatted(jobs, queue), PATIENCE, () -> depth(caller, queue) >= jobs);
        } catch (TimeoutException lost) {
            target.complain("of %d jobs that Kafka has acknowledged, %d are in %s"
                    .formatted(jobs, depth(caller, queue), queue));
        }
    }
}
