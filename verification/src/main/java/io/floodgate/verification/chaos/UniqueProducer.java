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
import io.floodgate.verification.history.Step.Cancelled;
import io.floodgate.verification.history.Step.Enqueued;
import io.floodgate.verification.history.Step.Keyed;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Enqueues jobs with few keys, in any way that a policy allows; what got no answer is sent again under its id. */
final class UniqueProducer implements Actor {
    private static final int TRIES = 8;
    private static final Duration BETWEEN_TRIES = Duration.ofMillis(300);
    private static final double OF_ONE_QUEUE = 0.3;
    private static final double DELAYED = 0.1;
    private static final double CANCELLED = 0.03;

    private final String name;
    private final Caller caller;
    private final List<String> queues;
    private final ChaosKeys keys;
    private final long seed;
    private final Recorder recorder;
    private final Random random;
    private final Duration pause;
    private long number;

    /** @param key by which the job is known to the checks; the server computes its own */
    private record Draft(String token, String id, String key, boolean replaces, byte[] json) {}

    UniqueProducer(String name, Caller caller, ChaosConfig config, ChaosKeys keys, Recorder recorder, Random random) {
        this.name = name;
        this.caller = caller;
        this.keys = keys;
        this.recorder = recorder;
        this.random = random;
        seed = config.seed();
        queues = config.queueNames();
        pause = Duration.ofNanos(1_000_000_000L * config.producers() / config.enqueuesPerSecond());
    }

    @Override
    public void once() {
        Draft draft = draft();
        boolean unanswered = false;
        for (int attempt = 0; attempt < TRIES; attempt++) {
            Heard heard = caller.post("/ojs/v1/jobs", draft.json);
            String duplicate = duplicateIn(heard);
            boolean isItself = unanswered && draft.id.equals(duplicate);
            Answer answer = isItself ? Answer.OK : heard.answer();
            // Answered by the job that is there: this one was not stored.
            if (duplicate != null && !isItself) answer = Answer.REJECTED;
            recorder.add(new Enqueued(heard.span(), draft.token, draft.id, null, answer));
            recorder.add(new Keyed(
                    heard.span(),
                    draft.id,
                    draft.key,
                    draft.replaces,
                    // What an earlier try has replaced is not known any more.
                    isItself && draft.replaces ? Answer.UNKNOWN : answer,
                    isItself ? null : duplicate,
                    text(heard.body().path("replaced_job_id"))));
            if (answer == Answer.OK && random.nextDouble() < CANCELLED) cancel(draft.id);
            if (answer == Answer.OK || (answer == Answer.REJECTED && !unanswered) || duplicate != null) break;
            unanswered |= answer == Answer.UNKNOWN;
            Pause.of(BETWEEN_TRIES);
        }
        Pause.of(pause);
    }

    private static @Nullable String duplicateIn(Heard heard) {
        if (heard.status() == 409) return text(heard.body().at("/error/details/existing_job_id"));
        return heard.body().path("deduplicated").asBoolean(false)
                ? text(heard.body().at("/job/id"))
                : null;
    }

    private static @Nullable String text(JsonNode node) {
        return node.isString() ? node.stringValue() : null;
    }

    private Draft draft() {
        String token = name + "-" + number++;
        String queue = queues.get(random.nextInt(queues.size()));
        Slot slot =
                random.nextBoolean() ? Slot.of(queue) : new Slot(random.nextInt(Slot.COUNT), random.nextInt(1 << 16));
        String id =
                JobId.make(slot, System.currentTimeMillis(), random.nextLong()).toString();
        boolean ofQueue = random.nextDouble() < OF_ONE_QUEUE;
        int key = keys.any(random);
        String conflict = ChaosKeys.anyConflict(random);
        JsonOut json =
                SmallJob.of("chaos.unique" + key, queue).id(id).arg(token).options();
        QuickRetries.to(json, 100);
        if (random.nextDouble() < DELAYED) json.field("delay_until", "+PT0.5S");
        json.name("unique").beginObject().field("on_conflict", conflict);
        if (ofQueue) json.field("keys", List.of("type", "queue"));
        else json.field("unique_key", ChaosKeys.given(seed, key));
        json.endObject();
        String known = ofQueue ? "%s/%d".formatted(queue, key) : ChaosKeys.given(seed, key);
        return new Draft(token, id, known, conflict.startsWith("replace"), SmallJob.end(json));
    }

    private void cancel(String id) {
        Heard heard = caller.call("DELETE", "/ojs/v1/jobs/" + id, new byte[0]);
        recorder.add(new Cancelled(heard.span(), id, heard.answer()));
    }

    @Override
    public void close() {
        caller.close();
    }
}
