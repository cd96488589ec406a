package io.floodgate.verification.hostile.attack;

import io.floodgate.bench.job.SmallJob;
import io.floodgate.verification.client.Await;
import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.Caller.Heard;
import io.floodgate.verification.hostile.KafkaSender;
import io.floodgate.verification.hostile.LoneAttack;
import io.floodgate.verification.hostile.RequestBodies;
import io.floodgate.verification.hostile.Target;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;

/** Everything it had comes back at once. */
public final class LostWorker implements LoneAttack {
    private static final int BATCH = 10_000;
    private static final int MOST_JOBS = 100;
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    @Override
    public String name() {
        return "lost-worker";
    }

    @Override
    public String what() {
        return "a worker with 100,000 leases that falls silent";
    }

    @Override
    public void run(Target target) throws Exception {
        String queue = target.queue("lost");
        int jobs = target.scaled(100_000, 10_000);
        byte[] batch = RequestBodies.batch(
                Collections.nCopies(BATCH, SmallJob.of("a.b", queue).arg("lost").toBytes()));
        try (Caller caller = target.caller()) {
            for (int i = 0; i < jobs; i += BATCH) ask(caller, RequestBodies.BATCH, batch);
            byte[] fetch = RequestBodies.fetch(List.of(queue), "lost-worker", MOST_JOBS, 0);
            for (int i = 0; i < jobs; i += MOST_JOBS) ask(caller, RequestBodies.FETCH, fetch);
            ask(
                    caller,
                    RequestBodies.HEARTBEAT,
                    KafkaSender.bytes("{\"worker_id\":\"lost-worker\",\"active_jobs\":[]}"));
            long begun = System.nanoTime();
            Await.until(
                    "the jobs of a worker that fell silent are there for others",
                    PATIENCE,
                    () -> caller.get("/ojs/v1/queues/%s/stats".formatted(queue))
                                    .body()
                                    .at("/stats/available")
                                    .longValue(0)
                            >= jobs);
            target.note("%,d leases back after %.1f s".formatted(jobs, (System.nanoTime() - begun) / 1e9));
        }
    }

    private static void ask(Caller caller, String path, byte[] body) throws IOException {
        Heard heard = caller.post(path, body);
        if (!heard.isOk()) throw new IOException("%s was answered %s".formatted(path, heard.shown()));
    }
}
