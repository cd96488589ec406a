package io.floodgate.verification.hostile.attack;

import io.floodgate.bench.job.SmallJob;
import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.Caller.Heard;
import io.floodgate.verification.hostile.LoneAttack;
import io.floodgate.verification.hostile.RequestBodies;
import io.floodgate.verification.hostile.Target;
import java.util.ArrayList;
import java.util.List;

/** Names that come and go: a queue that is made by its first job costs memory for as long as a server remembers it. */
public final class ManyQueues implements LoneAttack {
    private static final int NAMES = 10_000;

    @Override
    public String name() {
        return "many-queues";
    }

    @Override
    public String what() {
        return "40 batches of 10,000 jobs, each job in a queue of its own";
    }

    @Override
    public void run(Target target) throws Exception {
        int batches = target.scaled(40, 4);
        int stored = 0;
        try (Caller caller = target.caller()) {
            for (int i = 0; i < batches && target.isAlive(); i++) {
                List<byte[]> jobs = new ArrayList<>();
                for (int j = 0; j < NAMES; j++)
                    jobs.add(SmallJob.of("a.b", "many-%d-%d".formatted(i, j))
                            .arg(j)
                            .toBytes());
                Heard heard = caller.post(RequestBodies.BATCH, RequestBodies.batch(jobs));
                if (heard.isOk()) {
                    stored++;
                    target.answered(heard.body().at("/jobs/0/id").stringValue());
                }
                target.complainUnless(
                        heard.isOk() || heard.status() == 429 || heard.isHonestlyUnavailable(),
                        "a batch was answered " + heard.shown());
            }
        }
        target.note("%d of %d batches stored".formatted(stored, batches));
    }
}
