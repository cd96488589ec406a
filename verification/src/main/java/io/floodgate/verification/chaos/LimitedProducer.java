package io.floodgate.verification.chaos;

import io.floodgate.bench.job.SmallJob;
import io.floodgate.topics.JobId;
import io.floodgate.topics.Slot;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.Caller.Heard;
import io.floodgate.verification.client.Pause;
import io.floodgate.verification.history.Answer;
import io.floodgate.verification.history.Recorder;
import io.floodgate.verification.history.Step.Enqueued;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Random;

/** Enqueues jobs with rate limits, each key in all queues; what got no answer is sent again under its id. */
final class LimitedProducer implements Actor {
    private static final int TRIES = 8;
    private static final Duration BETWEEN_TRIES = Duration.ofMillis(300);

    private final String name;
    private final Caller caller;
    private final List<String> queues;
    private final String prefix;
    private final ChaosLimits limits;
    private final Recorder recorder;
    private final Random random;
    private final Duration pause;
    private long number;

    LimitedProducer(
            String name, Caller caller, ChaosConfig config, ChaosLimits limits, Recorder recorder, Random random) {
        this.name = name;
        this.caller = caller;
        this.limits = limits;
        this.recorder = recorder;
        this.random = random;
        queues = config.queueNames();
        prefix = config.queuePrefix();
        pause = Duration.ofNanos(1_000_000_000L * config.producers() / config.enqueuesPerSecond());
    }

    @Override
    public void once() {
        String token = name + "-" + number++;
        String queue = queues.get(random.nextInt(queues.size()));
        Slot slot =
                random.nextBoolean() ? Slot.of(queue) : new Slot(random.nextInt(Slot.COUNT), random.nextInt(1 << 16));
        String id =
                JobId.make(slot, System.currentTimeMillis(), random.nextLong()).toString();
        byte[] job = job(token, queue, id);
        boolean unanswered = false;
        for (int attempt = 0; attempt < TRIES; attempt++) {
            Heard heard = caller.post("/ojs/v1/jobs", job);
            Answer answer = unanswered && heard.status() == 409 ? Answer.OK : heard.answer();
            recorder.add(new Enqueued(heard.span(), token, id, null, answer));
            if (answer == Answer.OK || (answer == Answer.REJECTED && !unanswered)) break;
            unanswered |= answer == Answer.UNKNOWN;
            Pause.of(BETWEEN_TRIES);
        }
        Pause.of(pause);
    }

    private byte[] job(String token, String queue, String id) {
        JsonOut json =
                SmallJob.of("chaos.limited", queue).id(id).arg(token).options().field("priority", random.nextInt(3));
        QuickRetries.to(json, 100);
        String limit = limits.any(random);
        json.name("rate_limit").beginObject().field("key", prefix + ":" + limit);
        Objects.requireNonNull(limits.byName().get(limit)).write(json);
        json.endObject();
        return SmallJob.end(json);
    }

    @Override
    public void close() {
        caller.close();
    }
}
