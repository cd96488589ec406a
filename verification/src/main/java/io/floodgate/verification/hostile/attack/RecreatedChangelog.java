package io.floodgate.verification.hostile.attack;

import io.floodgate.verification.client.Await;
import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.Caller.Heard;
import io.floodgate.verification.hostile.Attack;
import io.floodgate.verification.hostile.Requests;
import io.floodgate.verification.hostile.Target;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.clients.admin.Admin;

/** The changelog of a store is deleted: the store, the last copy, must not go with it. */
public final class RecreatedChangelog implements Attack {
    private static final int JOBS = 50;
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
    public int processors() {
        return 1;
    }

    @Override
    public boolean mayLogErrors() {
        return true;
    }

    @Override
    public void run(Target target) throws Exception {
        String queue = target.queue("kept");
        try (Caller caller = target.caller()) {
            for (int i = 0; i < JOBS; i++) {
                Heard heard = caller.post(Requests.JOBS, Requests.job(queue, 100));
                if (!heard.isOk()) throw new IOException("an enqueue was answered " + heard.shown());
                target.answered(heard.body().at("/job/id").stringValue());
            }
            target.whileCanaryIsSilent(() -> {
                // What was answered and not yet committed is still a command: this is about the others.
                AwaitCanary.rounds(target, 2);
                target.server().kill();
                try (Admin admin = target.admin()) {
                    admin.deleteTopics(List.of("floodgate-jobs-changelog"))
                            .all()
                            .get();
                }
                target.server().start();
                Await.until(
                        "it says so",
                        PATIENCE,
                        () -> target.newLogLines().stream()
                                .anyMatch(line -> line.contains("was deleted and made again")));
                target.server().kill();
                target.server().add("--refill-changelogs");
                target.server().start();
                target.awaitService("with a changelog that was written back");
            });
            Heard fetched = caller.post(Requests.FETCH, Requests.fetch(List.of(queue), "kept", JOBS, 0));
            target.complainUnless(
                    fetched.body().path("jobs").size() == JOBS,
                    "of %d jobs, a fetch finds %d"
                            .formatted(JOBS, fetched.body().path("jobs").size()));
        }
        AwaitCanary.rounds(target, target.scaled(20, 5));
    }
}
