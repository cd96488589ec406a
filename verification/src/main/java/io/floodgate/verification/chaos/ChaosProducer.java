package io.floodgate.verification.chaos;

import io.floodgate.bench.job.SmallJob;
import io.floodgate.topics.JobId;
import io.floodgate.topics.Slot;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.Pause;
import io.floodgate.verification.history.Answer;
import io.floodgate.verification.history.Recorder;
import io.floodgate.verification.history.Step.Cancelled;
import io.floodgate.verification.history.Step.Enqueued;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Enqueues jobs, one by one and in batches, under ids of its own or the server's; now and then takes one back. What got no
 * answer is sent again under the same id, and only then: without an id of one's own, it could become two.
 */
final class ChaosProducer implements Actor {
    private static final String JOBS = "/ojs/v1/jobs";
    private static final byte[] NOTHING = new byte[0];
    private static final int TRIES = 8;
    private static final Duration BETWEEN_TRIES = Duration.ofMillis(300);

    private static final double OWN_IDS = 0.5;
    private static final double BATCHES = 0.05;
    private static final double SHORT_LIVED = 0.05;
    private static final double DELAYED = 0.05;
    private static final double CANCELLED = 0.03;
    private static final int BATCH = 5;

    private final String name;
    private final Caller caller;
    private final List<String> queues;
    private final Recorder recorder;
    private final Random random;
    private final Duration pause;
    private long number;

    private record Draft(String token, @Nullable String id, byte[] json) {}

    ChaosProducer(String name, Caller caller, ChaosConfig config, Recorder recorder, Random random) {
        this.name = name;
        this.caller = caller;
        this.queues = config.queueNames();
        this.recorder = recorder;
        this.random = random;
        pause = Duration.ofNanos(1_000_000_000L * config.producers() / config.enqueuesPerSecond());
    }

    @Override
    public void once() {
        boolean own = random.nextDouble() < OWN_IDS;
        if (random.nextDouble() < BATCHES) {
            List<Draft> drafts = new ArrayList<>();
            for (int i = 0; i < BATCH; i++) drafts.add(draft(own));
            submit(drafts, name + "-batch-" + number, own);
        } else {
            submit(List.of(draft(own)), null, own);
        }
        Pause.of(pause);
    }

    private void submit(List<Draft> drafts, @Nullable String batch, boolean own) {
        boolean unanswered = false;
        for (int attempt = 0; attempt < TRIES; attempt++) {
            Caller.Heard heard = batch == null
                    ? caller.call("POST", JOBS, drafts.getFirst().json)
                    : caller.call("POST", JOBS + "/batch", together(drafts));
            // It is known already: then an earlier try went through.
            Answer answer = unanswered && heard.status() == 409 ? Answer.OK : heard.answer();
            for (int i = 0; i < drafts.size(); i++) {
                Draft draft = drafts.get(i);
                String id = draft.id == null ? idIn(heard, batch, i) : draft.id;
                recorder.add(new Enqueued(heard.span(), draft.token, id, batch, answer));
                if (answer == Answer.OK && id != null && random.nextDouble() < CANCELLED) cancel(id);
            }
            if (answer == Answer.REJECTED && !unanswered) Pause.of(BETWEEN_TRIES);
            if (answer == Answer.OK || !own || (answer == Answer.REJECTED && !unanswered)) return;
            unanswered |= answer == Answer.UNKNOWN;
            Pause.of(BETWEEN_TRIES);
        }
    }

    private static @Nullable String idIn(Caller.Heard heard, @Nullable String batch, int index) {
        JsonNode id = batch == null
                ? heard.body().at("/job/id")
                : heard.body().path("jobs").path(index).path("id");
        return heard.answer() == Answer.OK && id.isString() ? id.stringValue() : null;
    }

    private void cancel(String id) {
        Caller.Heard heard = caller.call("DELETE", JOBS + "/" + id, NOTHING);
        recorder.add(new Cancelled(heard.span(), id, heard.answer()));
    }

    private Draft draft(boolean own) {
        String token = name + "-" + number++;
        String queue = queues.get(random.nextInt(queues.size()));
        // The slot may be any: a client knows nothing of slots.
        Slot slot = new Slot(random.nextInt(Slot.COUNT), random.nextInt(1 << 16));
        String id = own
                ? JobId.make(slot, System.currentTimeMillis(), random.nextLong())
                        .toString()
                : null;
        int attempts = random.nextDouble() < SHORT_LIVED ? 2 : 100;
        JsonOut json = SmallJob.of("chaos.job", queue).id(id).arg(token).options();
        if (random.nextDouble() < DELAYED) json.field("delay_until", "+PT0.5S");
        QuickRetries.to(json, attempts);
        return new Draft(token, id, SmallJob.end(json));
    }

    private static byte[] together(List<Draft> drafts) {
        JsonOut out = new JsonOut().beginObject().name("jobs").beginArray();
        for (Draft draft : drafts) out.raw(draft.json);
        return out.endArray().endObject().toBytes();
    }

    @Override
    public void close() {
        caller.close();
    }
}
