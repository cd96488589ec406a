package io.floodgate.verification.chaos;

import io.floodgate.topics.Slot;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.verification.chaos.Special.Limits;
import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.Pause;
import io.floodgate.verification.history.Recorder;
import io.floodgate.verification.hostile.KafkaSender.Draft;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;

/** Enqueues jobs with rate limits, each key in all queues. */
final class LimitedProducer extends LoadProducer {
    private final Limits limits;
    private final List<String> names;

    LimitedProducer(String name, Caller caller, ChaosConfig config, Limits limits, Recorder recorder, Random random) {
        super(name, caller, config, recorder, random);
        this.limits = limits;
        names = List.copyOf(limits.byName().keySet());
    }

    @Override
    public void once() {
        List<Draft> job = List.of(draft());
        insist(unanswered -> note(enqueue(job, null, Map.of()), job, null, unanswered));
        Pause.of(config.pause());
    }

    private Draft draft() {
        String queue = anyQueue();
        String limit = names.get(random.nextInt(names.size()));
        JsonOut json = new JsonOut().beginObject().field("key", config.queuePrefix() + ":" + limit);
        Objects.requireNonNull(limits.byName().get(limit)).write(json);
        return draft(
                "chaos.limited",
                queue,
                id(random.nextBoolean() ? Slot.of(queue) : anySlot()),
                100,
                ",'priority':%d,'rate_limit':%s".formatted(random.nextInt(3), json.endObject()));
    }
}
