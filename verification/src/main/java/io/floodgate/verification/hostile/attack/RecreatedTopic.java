package io.floodgate.verification.hostile.attack;

import io.floodgate.topics.Topics;
import io.floodgate.verification.client.Await;
import io.floodgate.verification.hostile.Target;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;

/** Its offsets begin again where others have long been. */
public final class RecreatedTopic extends AbsentProcessor {
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
    void harm(Target target, Admin admin) throws Exception {
        Topics.Spec commands = Topics.all(target.plan().partitions()).stream()
                .filter(spec -> spec.name().equals(Topics.COMMANDS))
                .findFirst()
                .orElseThrow();
        admin.deleteTopics(List.of(Topics.COMMANDS)).all().get();
        Await.until("the topic is made again", PATIENCE, () -> {
            admin.createTopics(List.of(
                            new NewTopic(commands.name(), commands.partitions(), (short) 1).configs(commands.config())))
                    .all()
                    .get();
            return true;
        });
    }

    @Override
    void look(Target target) {
        target.complainUnless(target.shows("topic_recreated"), "neither /ready nor /metrics shows topic_recreated");
    }
}
