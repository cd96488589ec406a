package io.floodgate.verification.hostile.attack;

import io.floodgate.verification.client.Await;
import io.floodgate.verification.hostile.Target;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.clients.admin.Admin;

/** The changelog of a store is deleted: the store, the last copy, must not go with it. */
public final class RecreatedChangelog extends AbsentProcessor {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Override
    public String name() {
        return "recreated-changelog";
    }

    @Override
    public String what() {
        return "while the processor is away, a changelog is deleted";
    }

    @Override
    void harm(Target target, Admin admin) throws Exception {
        admin.deleteTopics(List.of("floodgate-jobs-changelog")).all().get();
    }

    @Override
    void comeBack(Target target) throws Exception {
        target.server().start();
        Await.until(
                "it says so",
                PATIENCE,
                () -> target.newLogLines().stream().anyMatch(line -> line.contains("was deleted and made again")));
        target.server().kill();
        target.server().add("--refill-changelogs");
        target.server().start();
        target.awaitService("with a changelog that was written back");
    }
}
