package io.floodgate.verification.hostile.attack;

import io.floodgate.topics.Topics;
import io.floodgate.verification.hostile.Attack;
import io.floodgate.verification.hostile.KafkaSender;
import io.floodgate.verification.hostile.KafkaSender.Draft;
import io.floodgate.verification.hostile.RequestBodies;
import io.floodgate.verification.hostile.Target;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.TopicPartition;

/** As a retention that was too short, or an operator, deletes them. */
public final class TruncatedLog implements Attack {
    private static final int RECORDS = 5_000;

    @Override
    public String name() {
        return "truncated-log";
    }

    @Override
    public String what() {
        return "while the processor is away, 5,000 commands and messages it has not seen are deleted from every partition";
    }

    @Override
    public int processors() {
        return 1;
    }

    @Override
    public boolean mayLogErrors() {
        return true;
    }

    @Override
    public void run(Target target) throws Exception {
        Claims.make(target, "before");
        target.whileCanaryIsSilent(() -> {
            // What was answered and not yet committed would be lost with its command: this is about the others.
            AwaitCanary.rounds(target, 2);
            target.server().kill();
            try (KafkaSender kafka = target.kafka();
                    Admin admin = target.admin()) {
                for (int log = 0; log < target.plan().partitions(); log++) {
                    byte[] job = RequestBodies.job(target.queueIn(log, "truncated"), 100);
                    for (int i = 0; i < RECORDS; i++) kafka.send(new Draft(log, job));
                }
                kafka.flush();
                for (int log = 0; log < target.plan().partitions(); log++)
                    admin.deleteRecords(
                                    Map.of(new TopicPartition(Topics.COMMANDS, log), RecordsToDelete.beforeOffset(-1)))
                            .all()
                            .get();
            }
            target.server().start();
            target.awaitService("after the loss");
        });
        target.complainUnless(target.shows("commands_lost"), "neither /ready nor /metrics shows commands_lost");
        Claims.make(target, "after the loss");
        AwaitCanary.rounds(target, target.scaled(20, 5));
    }
}
