package io.floodgate.verification.chaos;

import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.Caller.Heard;
import io.floodgate.verification.client.Pause;
import io.floodgate.verification.history.Answer;
import io.floodgate.verification.history.Recorder;
import io.floodgate.verification.history.Step.Enqueued;
import io.floodgate.verification.hostile.KafkaSender.Draft;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Enqueues jobs, one by one and in batches, under ids of its own or the server's; now and then takes one back. Without an id
 * of one's own, what got no answer is not sent again: it could become two.
 */
final class ChaosProducer extends LoadProducer {
    private static final Duration AFTER_REJECTION = Duration.ofMillis(300);
    private static final double OWN_IDS = 0.5;
    private static final double BATCHES = 0.05;
    private static final double SHORT_LIVED = 0.05;
    private static final double DELAYED = 0.05;
    private static final int BATCH = 5;

    ChaosProducer(String name, Caller caller, ChaosConfig config, Recorder recorder, Random random) {
        super(name, caller, config, recorder, random);
    }

    @Override
    public void once() {
        boolean own = random.nextDouble() < OWN_IDS;
        boolean isBatch = random.nextDouble() < BATCHES;
        List<Draft> drafts = IntStream.range(0, isBatch ? BATCH : 1)
                .mapToObj(i -> draft(own))
                .toList();
        String batch = isBatch ? batchName() : null;
        if (own) insist(unanswered -> submit(drafts, batch, unanswered));
        else submit(drafts, batch, false);
        Pause.of(config.pause());
    }

    private Answer submit(List<Draft> drafts, @Nullable String batch, boolean unanswered) {
        Heard heard = enqueue(drafts, batch, Map.of());
        Answer answer = unanswered && heard.status() == 409 ? Answer.OK : heard.answer();
        for (int i = 0; i < drafts.size(); i++) {
            Draft draft = drafts.get(i);
            String id = draft.id() == null ? idIn(heard, batch, i) : draft.id();
            recorder.add(new Enqueued(heard.span(), draft.token(), id, batch, answer));
            if (answer == Answer.OK && id != null) cancelByChance(id);
        }
        if (answer == Answer.REJECTED && !unanswered) Pause.of(AFTER_REJECTION);
        return answer;
    }

    private static @Nullable String idIn(Heard heard, @Nullable String batch, int index) {
        JsonNode id = batch == null
                ? heard.body().at("/job/id")
                : heard.body().path("jobs").path(index).path("id");
        return heard.isOk() && id.isString() ? id.stringValue() : null;
    }

    private Draft draft(boolean own) {
        return draft(
                "chaos.job",
                anyQueue(),
                own ? id(anySlot()) : null,
                random.nextDouble() < SHORT_LIVED ? 2 : 100,
                random.nextDouble() < DELAYED ? ",'delay_until':'+PT0.5S'" : "");
    }
}
