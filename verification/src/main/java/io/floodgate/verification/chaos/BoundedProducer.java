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
import io.floodgate.verification.history.Step.Full;
import io.floodgate.verification.history.Step.Offered;
import io.floodgate.verification.history.Step.OfferedJob;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Wants to put more into bounded queues than they hold: jobs of all sizes and priorities, one by one, in batches, and in
 * batches over several queues; now and then with the patience to wait. All ids are its own, so that whatever got no answer
 * can be sent again.
 */
final class BoundedProducer implements Actor {
    private static final String JOBS = "/ojs/v1/jobs";
    private static final String TENANT = "X-OJS-Tenant";
    private static final int TRIES = 8;
    private static final Duration BETWEEN_TRIES = Duration.ofMillis(300);
    private static final int LONGEST_PATIENCE_MS = 3_000;
    private static final int LARGEST_BATCH = 8;
    private static final int LARGEST_ARGUMENT = 4_000;
    private static final int[] PRIORITIES = {-5, 0, 0, 5};

    /** One of them has most of the jobs. */
    private static final String[] TENANTS = {"large", "large", "large", "large", "large", "large", "small", "tiny"};

    /** More than a log adds to a job. */
    private static final int ADDED_BYTES = 512;

    private final String name;
    private final Caller caller;
    private final List<String> queues;
    /** To which batches over several of them come, and jobs whose ids lead elsewhere; to the others, only what one log decides at once. */
    private final List<String> mixed;

    private final Recorder recorder;
    private final Random random;
    private final Duration pause;
    private long number;
    private String tenant = TENANTS[0];

    /** @param atHome its id leads to the log of its queue */
    private record Draft(String token, OfferedJob job, boolean atHome, byte[] json) {}

    BoundedProducer(String name, Caller caller, ChaosConfig config, Recorder recorder, Random random) {
        this.name = name;
        this.caller = caller;
        this.queues = config.queueNames();
        mixed = queues.subList(0, queues.size() / 2);
        this.recorder = recorder;
        this.random = random;
        pause = Duration.ofNanos(1_000_000_000L * config.producers() / config.enqueuesPerSecond());
    }

    @Override
    public void once() {
        int kind = random.nextInt(10);
        tenant = TENANTS[random.nextInt(TENANTS.length)];
        if (kind < 6) offer(drafts(1, List.of(any(queues))), null);
        else if (kind < 8) offer(drafts(batchSize(), List.of(any(queues))), batchName());
        else offer(drafts(batchSize(), List.of(any(mixed), any(mixed), any(mixed))), batchName());
        Pause.of(pause);
    }

    private int batchSize() {
        return 2 + random.nextInt(LARGEST_BATCH - 1);
    }

    private String batchName() {
        return name + "-batch-" + number;
    }

    private String any(List<String> some) {
        return some.get(random.nextInt(some.size()));
    }

    private List<Draft> drafts(int count, List<String> some) {
        List<Draft> drafts = new ArrayList<>();
        for (int i = 0; i < count; i++) drafts.add(draft(some.get(i % some.size())));
        return drafts;
    }

    private Draft draft(String queue) {
        String token = name + "-" + number++;
        Slot anywhere = new Slot(random.nextInt(Slot.COUNT), random.nextInt(1 << 16));
        Slot slot = mixed.contains(queue) && random.nextBoolean() ? anywhere : Slot.of(queue);
        String id =
                JobId.make(slot, System.currentTimeMillis(), random.nextLong()).toString();
        int priority = PRIORITIES[random.nextInt(PRIORITIES.length)];
        JsonOut json = SmallJob.of("chaos.bounded", queue)
                .id(id)
                .arg(token)
                .arg("x".repeat(random.nextInt(LARGEST_ARGUMENT)))
                .options()
                .field("priority", priority);
        QuickRetries.to(json, 100);
        byte[] whole = SmallJob.end(json);
        OfferedJob job = new OfferedJob(id, queue, priority, whole.length + ADDED_BYTES, tenant);
        return new Draft(token, job, slot.equals(Slot.of(queue)), whole);
    }

    private void offer(List<Draft> drafts, @Nullable String batch) {
        Duration patience =
                random.nextBoolean() ? Duration.ZERO : Duration.ofMillis(random.nextInt(LONGEST_PATIENCE_MS));
        boolean unanswered = false;
        for (int attempt = 0; attempt < TRIES; attempt++) {
            Answer answer = offer(drafts, batch, patience, unanswered);
            if (answer == Answer.OK || (answer == Answer.REJECTED && !unanswered)) return;
            unanswered |= answer == Answer.UNKNOWN;
            Pause.of(BETWEEN_TRIES);
        }
    }

    /** @param unanswered an earlier try got no answer, and may have gone through */
    private Answer offer(List<Draft> drafts, @Nullable String batch, Duration patience, boolean unanswered) {
        Instant at = Instant.ofEpochMilli(System.currentTimeMillis());
        Map<String, String> headers = patience.isZero()
                ? Map.of(TENANT, tenant)
                : Map.of(
                        TENANT,
                        tenant,
                        "OJS-Block-Timeout",
                        String.format(Locale.ROOT, "%.3f", patience.toMillis() / 1e3));
        Heard heard = batch == null
                ? caller.call("POST", JOBS, drafts.getFirst().json, headers)
                : caller.call("POST", JOBS + "/batch", together(drafts), headers);
        Answer answer = unanswered && heard.status() == 409 ? Answer.OK : heard.answer();
        for (Draft draft : drafts) recorder.add(new Enqueued(heard.span(), draft.token, draft.job.id(), batch, answer));
        List<OfferedJob> jobs = drafts.stream().map(Draft::job).toList();
        boolean inOneStep = drafts.stream().allMatch(Draft::atHome)
                && jobs.stream().map(OfferedJob::queue).distinct().count() == 1;
        recorder.add(new Offered(heard.span(), at, jobs, inOneStep, patience, answer, full(heard)));
        return answer;
    }

    private static @Nullable Full full(Heard heard) {
        if (heard.status() != 429) return null;
        String queue = heard.body().at("/error/details/queue").asString("");
        return queue.isEmpty()
                ? null
                : new Full(queue, heard.body().at("/error/details/reason").asString(""));
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
