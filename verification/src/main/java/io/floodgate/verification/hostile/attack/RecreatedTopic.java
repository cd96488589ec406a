package io.floodgate.verification.hostile.attack;

import io.floodgate.topics.Topics;
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
import org.apache.kafka.clients.admin.NewTopic;

/** Its offsets begin again where others have long been. */
public final class RecreatedTopic implements Attack {
    private static final int JOBS = 50;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @Override
    public String name() {
        return "recreated-topic";
    }

    @Override
    public String what() {
        return "while the processor is away, ojs.commands is deleted and made again";
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
        String queue = target.queue("recreated");
        try (Caller caller = target.caller()) {
            for (int i = 0; i < JOBS; i++) {
                Heard heard = caller.post(Requests.JOBS, Requests.job(queue, 100));
                if (!heard.isOk()) throw new IOException("an enqueue was answered " + heard.shown());
                target.answered(heard.body().at("/job/id").stringValue());
            }
            target.whileCanaryIsSilent(() -> {
                // What was answered and not yet committed would be lost with its command: this is about the others.
                AwaitCanary.rounds(target, 2);
                target.server().kill();
                recreate(target);
                target.server().start();
                target.awaitService("with a new topic");
            });
            target.complainUnless(target.shows("topic_recreated"), "neither /ready nor /metrics shows topic_recreated");
            Heard fetched = caller.post(Requests.FETCH, Requests.fetch(List.of(queue), "recreated", JOBS, 0));
            target.complainUnless(
                    fetched.body().path("jobs").size() == JOBS,
                    "of %d jobs, a fetch finds %d"
                            .formatted(JOBS, fetched.body().path("jobs").size()));
        }
        Claims.make(target, "with a new topic");
        AwaitCanary.rounds(target, target.scaled(20, 5));
    }

    private static void recreate(Target target) throws Exception {
        Topics.Spec commands = Topics.all(target.plan().partitions()).stream()
                .filter(spec -> spec.name().equals(Topics.COMMANDS))
                .findFirst()
                .orElseThrow();
        try (Admin admin = target.admin()) {
            admin.deleteTopics(List.of(Topics.COMMANDS)).all().get();
            Await.until("the topic is made again", PATIENCE, () -> {
                admin.createTopics(List.of(new NewTopic(commands.name(), commands.partitions(), (short) 1)
                                .configs(commands.config())))
                        .all()
                        .get();
                return true;
            });
        }
    }
}
