package io.floodgate.verification.chaos;

import static io.floodgate.verification.client.RequestBodies.JOBS;
import static io.floodgate.verification.client.RequestBodies.NOTHING;
import static io.floodgate.verification.client.RequestBodies.batch;
import static io.floodgate.verification.client.RequestBodies.json;

import io.floodgate.topics.JobId;
import io.floodgate.topics.Slot;
import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.Caller.Heard;
import io.floodgate.verification.client.Crew;
import io.floodgate.verification.client.Pause;
import io.floodgate.verification.client.RequestBodies;
import io.floodgate.verification.history.Answer;
import io.floodgate.verification.history.Recorder;
import io.floodgate.verification.history.Step.Cancelled;
import io.floodgate.verification.history.Step.Enqueued;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Enqueues jobs; what got no answer is sent again under the same id. */
abstract class LoadProducer implements Crew.Member {
    private static final int TRIES = 8;
    static final Duration BETWEEN_TRIES = Duration.ofMillis(300);
    private static final double CANCELLED = 0.03;

    final String name;
    final Caller caller;
    final ChaosConfig config;
    final List<String> queues;
    final Recorder recorder;
    final Random random;
    private long number;

    /** @param id null for one of the server's */
    record Draft(String token, @Nullable String id, byte[] json) {}

    /** Sends something once, and returns what became of it. */
    @FunctionalInterface
    interface Attempt {
        /** @param unanswered an earlier try got no answer, and may have gone through */
        Answer send(boolean unanswered);
    }

    LoadProducer(String name, Caller caller, ChaosConfig config, Recorder recorder, Random random) {
        this.name = name;
        this.caller = caller;
        this.config = config;
        this.recorder = recorder;
        this.random = random;
        queues = config.queueNames();
    }

    final String anyQueue() {
        return queues.get(random.nextInt(queues.size()));
    }

    /** A client knows nothing of slots. */
    final Slot anySlot() {
        return new Slot(random.nextInt(Slot.COUNT), random.nextInt(1 << 16));
    }

    final String id(Slot slot) {
        return JobId.make(slot, System.currentTimeMillis(), random.nextLong()).toString();
    }

    final String batchName() {
        return name + "-batch-" + number;
    }

    /**
     * A job whose retries are so quick that a run of some seconds sees attempts enough.
     *
     * @param options more of them, each with a comma before it
     * @param more arguments beside the token
     */
    final Draft draft(String type, String queue, @Nullable String id, int attempts, String options, String... more) {
        return draft(type, queue, id, attempts, "'PT0.05S','max_interval':'PT0.2S'", options, more);
    }

    /** The same with another interval between attempts. */
    final Draft draft(
            String type,
            String queue,
            @Nullable String id,
            int attempts,
            String interval,
            String options,
            String[] more) {
        String token = name + "-" + number++;
        String arguments = Stream.concat(Stream.of(token), Stream.of(more)).collect(Collectors.joining("','"));
        return new Draft(
                token,
                id,
                json(
                        "{'type':'%s',%s'args':['" + arguments
                                + "'],'options':{'queue':'%s','retry':{'max_attempts':%d,"
                                + "'initial_interval':" + interval + "}" + options + "}}",
                        type,
                        id == null ? "" : "\"id\":\"" + id + "\",",
                        queue,
                        attempts));
    }

    /** Sends the jobs, and takes down the answer. */
    final Heard enqueue(List<Draft> drafts, @Nullable String batch, Map<String, String> headers) {
        return batch == null
                ? caller.call("POST", JOBS, drafts.getFirst().json, headers)
                : caller.call(
                        "POST",
                        RequestBodies.BATCH,
                        batch(drafts.stream().map(Draft::json).toList()),
                        headers);
    }

    /** What an answer to jobs with ids of their own proves: if they are known already, an earlier try went through. */
    final Answer note(Heard heard, List<Draft> drafts, @Nullable String batch, boolean unanswered) {
        Answer answer = unanswered && heard.status() == 409 ? Answer.OK : heard.answer();
        for (Draft draft : drafts) recorder.add(new Enqueued(heard.span(), draft.token, draft.id, batch, answer));
        return answer;
    }

    /** Until an answer is definite. */
    static void insist(Attempt attempt) {
        boolean unanswered = false;
        for (int i = 0; i < TRIES; i++) {
            Answer answer = attempt.send(unanswered);
            if (answer == Answer.OK || (answer == Answer.REJECTED && !unanswered)) return;
            unanswered |= answer == Answer.UNKNOWN;
            Pause.of(BETWEEN_TRIES);
        }
    }

    /** Takes a few of the jobs back. */
    final void cancelByChance(String id) {
        if (random.nextDouble() >= CANCELLED) return;
        Heard heard = caller.call("DELETE", JOBS + "/" + id, NOTHING);
        recorder.add(new Cancelled(heard.span(), id, heard.answer()));
    }

    @Override
    public void close() {
        caller.close();
    }
}
