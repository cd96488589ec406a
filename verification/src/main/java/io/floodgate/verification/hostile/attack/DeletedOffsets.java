package io.floodgate.verification.hostile.attack;

import io.floodgate.verification.client.Await;
import io.floodgate.verification.hostile.Target;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.clients.admin.Admin;

/** A processor that has lost its offsets must not begin at the start of its partitions. */
public final class DeletedOffsets extends AbsentProcessor {
    private static final String GROUP = "floodgate";
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Override
    public String name() {
        return "deleted-offsets";
    }

    @Override
    public String what() {
        return "while the processor is away, its group is deleted, and with it its position in every partition";
    }

    @Override
    void harm(Target target, Admin admin) throws Exception {
        Await.until("the group is deleted", PATIENCE, () -> {
            admin.deleteConsumerGroups(List.of(GROUP)).all().get();
            return true;
        });
    }
}
