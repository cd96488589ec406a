package io.floodgate.verification.hostile.attack;

import static io.floodgate.verification.hostile.KafkaSender.bytes;

import io.floodgate.verification.client.Caller;
import io.floodgate.verification.hostile.Attack;
import io.floodgate.verification.hostile.KafkaSender;
import io.floodgate.verification.hostile.KafkaSender.Draft;
import io.floodgate.verification.hostile.Target;
import java.util.Map;

/** What is a few KB to the broker may be gigabytes to its reader. */
public final class CompressedRecords implements Attack {
    private static final Map<String, Object> COMPRESSING = Map.of(
            "compression.type",
            "zstd",
            "linger.ms",
            2_000,
            "batch.size",
            4_000_000,
            "max.request.size",
            2_000_000_000,
            "buffer.memory",
            1_500_000_000L);

    private static final int LARGE = 300_000_000;

    @Override
    public String name() {
        return "compressed-records";
    }

    @Override
    public String what() {
        return "compressed records by Kafka: one of 300 MB, and jobs of 1 MB of blanks, on a queue's topic and among the commands";
    }

    @Override
    public boolean needsItsOwnServer() {
        return true;
    }

    @Override
    public void run(Target target) throws Exception {
        String queue = target.queue("compressed");
        String other = target.queueElsewhere("compressed");
        String job = "{\"type\":\"a\",\"args\":[\"%s\"]%s}";
        String blanks = " ".repeat(1_000_000);
        int jobs = target.scaled(1_500, 300);
        try (Caller caller = target.caller();
                KafkaSender kafka = target.kafka(COMPRESSING)) {
            Inlets.create(caller, queue);
            Inlets.create(caller, other);
            byte[] zeros = new byte[LARGE];
            kafka.sendAndWait(new Draft(queue, zeros));
            kafka.sendAndWait(new Draft(target.partition(), zeros));
            for (int i = 0; i < jobs; i++) kafka.send(new Draft(queue, bytes(job.formatted(blanks, ""))));
            for (int i = 0; i < jobs / 10; i++)
                kafka.send(new Draft(target.partition(), bytes(job.formatted(blanks, ",\"queue\":\"" + queue + "\""))));
            kafka.flush();
            kafka.sendAndWait(new Draft(other, bytes("{\"type\":\"a\",\"args\":[]}")));
            Inlets.awaitDepth(target, caller, other, 1);
            Inlets.awaitDepth(target, caller, queue, jobs + jobs / 10);
        }
        AwaitCanary.rounds(target, target.scaled(10, 3));
    }
}
