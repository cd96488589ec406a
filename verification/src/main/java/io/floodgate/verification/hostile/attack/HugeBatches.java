package io.floodgate.verification.hostile.attack;

import io.floodgate.topics.Headers;
import io.floodgate.topics.JobId;
import io.floodgate.topics.Slot;
import io.floodgate.verification.hostile.KafkaSender;
import io.floodgate.verification.hostile.KafkaSender.Draft;
import io.floodgate.verification.hostile.LoneAttack;
import io.floodgate.verification.hostile.RequestBodies;
import io.floodgate.verification.hostile.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** Small jobs, very many of them in one record: what they cause is larger than what they are. */
public final class HugeBatches implements LoneAttack {
    /** Where the jobs of a batch live, and whose ids they have. */
    public enum Kind {
        ONE_LOG("in one partition"),
        OVER_LOGS("in another partition than it is sent to"),
        WITH_CLAIMS("in another partition, with ids that belong to a third");

        private final String what;

        Kind(String what) {
            this.what = what;
        }
    }

    private final Kind kind;

    public HugeBatches(Kind kind) {
        this.kind = kind;
    }

    @Override
    public String name() {
        return "huge-batch-" + kind.name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
    }

    @Override
    public String what() {
        return "a batch of 300,000 jobs by Kafka, " + kind.what;
    }

    @Override
    public boolean mayLogErrors() {
        return true;
    }

    @Override
    public void run(Target target) throws Exception {
        int size = kind == Kind.OVER_LOGS ? 230_000 : 300_000;
        String queue = kind == Kind.ONE_LOG ? target.queue("b") : target.queueElsewhere("b");
        Slot slot = kind == Kind.WITH_CLAIMS ? Slot.of("third-party") : Slot.of(queue);
        List<byte[]> jobs = new ArrayList<>();
        for (int i = 0; i < size; i++)
            jobs.add(KafkaSender.bytes("{\"id\":\"%s\",\"type\":\"a.b\",\"args\":[],\"queue\":\"%s\"}"
                    .formatted(
                            JobId.make(
                                    slot,
                                    System.currentTimeMillis(),
                                    ThreadLocalRandom.current().nextLong()),
                            queue)));
        byte[] record = RequestBodies.array(jobs);
        try (KafkaSender kafka = target.kafka()) {
            kafka.sendAndWait(new Draft(target.partition(), record).with(Headers.OP, "batch"));
        }
        target.note("%,d bytes".formatted(record.length));
        AwaitCanary.rounds(target, target.scaled(20, 6));
    }
}
