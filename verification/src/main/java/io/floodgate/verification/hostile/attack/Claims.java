package io.floodgate.verification.hostile.attack;

import io.floodgate.bench.job.SmallJob;
import io.floodgate.topics.JobId;
import io.floodgate.topics.Slot;
import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.Caller.Heard;
import io.floodgate.verification.hostile.RequestBodies;
import io.floodgate.verification.hostile.Target;
import java.util.concurrent.ThreadLocalRandom;

/** Jobs whose ids belong to other logs than their queues: each takes messages between two logs. */
final class Claims {
    private static final int CLAIMS = 64;

    private Claims() {}

    /** From every log to every log, more than once if there are few; one that fails is enough to know. */
    static void make(Target target, String when) {
        int logs = target.plan().partitions();
        try (Caller caller = target.caller()) {
            for (int i = 0; i < Math.max(CLAIMS, logs * logs); i++) {
                String id = JobId.make(
                                new Slot(i % logs, 0),
                                System.currentTimeMillis(),
                                ThreadLocalRandom.current().nextLong())
                        .toString();
                Heard heard = caller.post(
                        RequestBodies.JOBS,
                        SmallJob.of("hostile.claim", target.queueIn(i / logs % logs, "claims"))
                                .id(id)
                                .arg(i)
                                .toBytes());
                if (!heard.isOk()) {
                    target.complain("%s: a job with an id of its own was answered %s".formatted(when, heard.shown()));
                    return;
                }
                target.answered(id);
            }
        }
    }
}
