package io.floodgate.verification.hostile.attack;

import static io.floodgate.verification.hostile.KafkaSender.bytes;

import io.floodgate.topics.Routing;
import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.Caller.Heard;
import io.floodgate.verification.hostile.LoneAttack;
import io.floodgate.verification.hostile.RequestBodies;
import io.floodgate.verification.hostile.Target;
import java.util.ArrayList;
import java.util.List;

/** The key of a rate limit decides which partition remembers it, and clients choose their keys. */
public final class ManyLimitKeys implements LoneAttack {
    private static final int BATCH = 2_000;

    @Override
    public String name() {
        return "many-limit-keys";
    }

    @Override
    public String what() {
        return "60,000 jobs in another partition, each with a rate-limit key of its own that leads to the attacked one";
    }

    @Override
    public void run(Target target) throws Exception {
        Routing routing = new Routing(target.plan().partitions());
        String mine = target.queueElsewhere("keys");
        int wanted = target.scaled(60_000, 4_000);
        int next = 0;
        int stored = 0;
        try (Caller caller = target.caller()) {
            for (int sent = 0; sent < wanted && target.isAlive(); sent += BATCH) {
                List<byte[]> jobs = new ArrayList<>();
                for (; jobs.size() < BATCH; next++) {
                    String key = "k" + next;
                    if (routing.ofLimit(key).partition() != target.partition()) continue;
                    jobs.add(bytes(
                            "{\"type\":\"a.b\",\"args\":[],\"queue\":\"%s\",\"rate_limit\":{\"key\":\"%s\",\"concurrency\":1}}"
                                    .formatted(mine, key)));
                }
                Heard heard = caller.post(RequestBodies.BATCH, RequestBodies.batch(jobs));
                if (heard.isOk()) stored += BATCH;
                target.complainUnless(
                        heard.isOk() || heard.isHonestlyUnavailable(), "a batch was answered " + heard.shown());
            }
            AwaitCanary.rounds(target, target.scaled(30, 5));
            Heard other = caller.post(RequestBodies.JOBS, RequestBodies.job(target.queue("victim"), 10));
            target.complainUnless(
                    other.isOk(), "a job of another queue in the partition of the keys was answered " + other.shown());
        }
        target.note("%,d jobs stored".formatted(stored));
    }
}
