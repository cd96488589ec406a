package io.floodgate.verification.hostile.attack;

import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.Caller.Heard;
import io.floodgate.verification.client.Pause;
import io.floodgate.verification.hostile.LoneAttack;
import io.floodgate.verification.hostile.RequestBodies;
import io.floodgate.verification.hostile.Swarm;
import io.floodgate.verification.hostile.Target;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** All are served at the same moment: by one command, whose replies are as large as all the jobs. */
public final class ParkedFetches implements LoneAttack {
    private final int fetches;
    private final int bytes;

    public ParkedFetches(int fetches, int bytes) {
        this.fetches = fetches;
        this.bytes = bytes;
    }

    @Override
    public String name() {
        return "parked-fetches-%dk".formatted(bytes / 1_000);
    }

    @Override
    public String what() {
        return "%,d parked fetches on a paused queue with as many jobs of %d KB, and resume"
                .formatted(fetches, bytes / 1_000);
    }

    @Override
    public void run(Target target) throws Exception {
        String queue = target.queue("parked");
        int count = target.scaled(fetches, fetches / 8);
        command(target, "/ojs/v1/queues/%s/pause".formatted(queue));
        fill(target, queue, count);
        AtomicInteger served = new AtomicInteger();
        Thread resume = Thread.startVirtualThread(() -> resume(target, queue, count));
        Swarm.run(count, number -> {
            try (Caller caller = target.caller()) {
                Heard heard = caller.post(
                        RequestBodies.FETCH, RequestBodies.fetch(List.of(queue), "parked-" + number, 1, 60_000));
                if (heard.isOk() && !heard.body().path("jobs").isEmpty()) served.incrementAndGet();
            }
        });
        resume.join();
        target.complainUnless(served.get() > 0, "no fetch was served");
        target.note("%,d of %,d fetches served".formatted(served.get(), count));
    }

    private void fill(Target target, String queue, int count) throws Exception {
        AtomicInteger left = new AtomicInteger(count);
        Swarm.run(4, number -> {
            try (Caller caller = target.caller()) {
                while (left.getAndDecrement() > 0) {
                    Heard heard = caller.post(RequestBodies.JOBS, RequestBodies.job(queue, bytes));
                    if (heard.isOk()) target.answered(heard.body().at("/job/id").stringValue());
                    else if (!target.isAlive()) throw new IOException("it died while jobs were put in");
                }
            }
        });
    }

    private static void resume(Target target, String queue, int count) {
        Pause.of(Duration.ofMillis(2_000 + 2L * count));
        command(target, "/ojs/v1/queues/%s/resume".formatted(queue));
    }

    private static void command(Target target, String path) {
        try (Caller caller = target.caller()) {
            Heard heard = caller.post(path, new byte[] {'{', '}'});
            target.complainUnless(heard.isOk(), "%s was answered %s".formatted(path, heard.shown()));
        }
    }
}
