package io.floodgate.verification.chaos;

import io.floodgate.topics.Slot;
import io.floodgate.verification.chaos.Special.Keys;
import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.Caller.Heard;
import io.floodgate.verification.client.Pause;
import io.floodgate.verification.history.Answer;
import io.floodgate.verification.history.Recorder;
import io.floodgate.verification.history.Step.Enqueued;
import io.floodgate.verification.history.Step.Keyed;
import io.floodgate.verification.hostile.KafkaSender.Draft;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Enqueues jobs with few keys, in any way that a policy allows. */
final class UniqueProducer extends LoadProducer {
    private static final double OF_ONE_QUEUE = 0.3;
    private static final double DELAYED = 0.1;

    private final Keys keys;

    /** @param key by which the job is known to the checks; the server computes its own */
    private record Unique(Draft draft, String id, String key, boolean replaces) {}

    UniqueProducer(String name, Caller caller, ChaosConfig config, Keys keys, Recorder recorder, Random random) {
        super(name, caller, config, recorder, random);
        this.keys = keys;
    }

    @Override
    public void once() {
        Unique job = unique();
        insist(unanswered -> submit(job, unanswered));
        Pause.of(config.pause());
    }

    private Answer submit(Unique job, boolean unanswered) {
        Heard heard = enqueue(List.of(job.draft), null, Map.of());
        String duplicate = duplicateIn(heard);
        boolean isItself = unanswered && job.id.equals(duplicate);
        Answer answer = isItself ? Answer.OK : heard.answer();
        // Answered by the job that is there: this one was not stored.
        if (duplicate != null && !isItself) answer = Answer.REJECTED;
        recorder.add(new Enqueued(heard.span(), job.draft.token(), job.id, null, answer));
        recorder.add(new Keyed(
                heard.span(),
                job.id,
                job.key,
                job.replaces,
                // What an earlier try has replaced is not known any more.
                isItself && job.replaces ? Answer.UNKNOWN : answer,
                isItself ? null : duplicate,
                text(heard.body().path("replaced_job_id"))));
        if (answer == Answer.OK) cancelByChance(job.id);
        return duplicate == null ? answer : Answer.OK;
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

    private Unique unique() {
        String queue = anyQueue();
        String id = id(random.nextBoolean() ? Slot.of(queue) : anySlot());
        boolean ofQueue = random.nextDouble() < OF_ONE_QUEUE;
        int key = random.nextInt(keys.count());
        String conflict = Keys.anyConflict(random);
        String given = Keys.given(config.seed(), key);
        Draft draft = draft(
                "chaos.unique" + key,
                queue,
                id,
                100,
                "%s,'unique':{'on_conflict':'%s',%s}"
                        .formatted(
                                random.nextDouble() < DELAYED ? ",'delay_until':'+PT0.5S'" : "",
                                conflict,
                                ofQueue ? "'keys':['type','queue']" : "'unique_key':'%s'".formatted(given)));
        return new Unique(draft, id, ofQueue ? "%s/%d".formatted(queue, key) : given, conflict.startsWith("replace"));
    }
}
