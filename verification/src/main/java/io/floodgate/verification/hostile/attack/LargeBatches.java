package io.floodgate.verification.hostile.attack;

import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.Caller.Heard;
import io.floodgate.verification.hostile.Attack;
import io.floodgate.verification.hostile.RequestBodies;
import io.floodgate.verification.hostile.Target;
import java.util.Collections;
import java.util.List;

/** Kills a server that keeps a record for as long as something small that came with it. */
public final class LargeBatches implements Attack {
    private static final int JOBS = 25;
    private static final int BYTES = 800_000;

    @Override
    public String name() {
        return "large-batches";
    }

    @Override
    public String what() {
        return "batches of 20 MB, one after the other, until twice the size of the heap was sent";
    }

    @Override
    public void run(Target target) throws Exception {
        byte[] job = RequestBodies.job(target.queue("large"), BYTES);
        byte[] batch = RequestBodies.batch(Collections.nCopies(JOBS, job));
        int batches = target.scaled(100, 15);
        int stored = 0;
        try (Caller caller = target.caller()) {
            for (int i = 0; i < batches && target.isAlive(); i++) {
                Heard heard = caller.post(RequestBodies.BATCH, batch);
                if (heard.isOk()) {
                    stored++;
                    target.answered(heard.body().at("/jobs/0/id").stringValue());
                }
                target.complainUnless(
                        heard.isOk() || heard.isHonestlyUnavailable(), "a batch was answered " + heard.shown());
            }
            Heard back = caller.post(
                    RequestBodies.FETCH, RequestBodies.fetch(List.of(target.queue("large")), "large", 5, 0));
            target.complainUnless(back.isOk(), "a fetch of large jobs was answered " + back.shown());
        }
        target.note("%d of %d batches stored".formatted(stored, batches));
    }
}
