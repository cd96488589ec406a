package io.floodgate.verification.chaos;

import io.floodgate.topics.Slot;
import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.Caller.Heard;
import io.floodgate.verification.client.Pause;
import io.floodgate.verification.history.Answer;
import io.floodgate.verification.history.Recorder;
import io.floodgate.verification.history.Step.Full;
import io.floodgate.verification.history.Step.Offered;
import io.floodgate.verification.history.Step.OfferedJob;
import io.floodgate.verification.hostile.KafkaSender.Draft;
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
 * batches over several queues; now and then with the patience to wait.
 */
final class BoundedProducer extends LoadProducer {
    private static final String TENANT = "X-OJS-Tenant";
    private static final int LONGEST_PATIENCE_MS = 3_000;
    private static final int LARGEST_BATCH = 8;
    private static final int LARGEST_ARGUMENT = 4_000;
    private static final int[] PRIORITIES = {-5, 0, 0, 5};

    /** One of them has most of the jobs. */
    private static final String[] TENANTS = {"large", "large", "large", "large", "large", "large", "small", "tiny"};

    /** More than a partition adds to a job. */
    private static final int ADDED_BYTES = 512;

    /** To which batches over several of them come, and jobs whose ids lead elsewhere; to the others, only what one partition decides at once. */
    private final List<String> mixed;

    private String tenant = TENANTS[0];

    /** Jobs that are offered together. */
    private record Offer(
            List<Draft> drafts,
            List<OfferedJob> jobs,
            @Nullable String batch,
            boolean inOneStep) {}

    BoundedProducer(String name, Caller caller, ChaosConfig config, Recorder recorder, Random random) {
        super(name, caller, config, recorder, random);
        mixed = queues.subList(0, queues.size() / 2);
    }

    @Override
    public void once() {
        int kind = random.nextInt(10);
        tenant = TENANTS[random.nextInt(TENANTS.length)];
        int size = kind < 6 ? 1 : 2 + random.nextInt(LARGEST_BATCH - 1);
        Offer offer =
                kind < 8 ? offer(size, List.of(anyQueue())) : offer(size, List.of(any(mixed), any(mixed), any(mixed)));
        Duration patience =
                random.nextBoolean() ? Duration.ZERO : Duration.ofMillis(random.nextInt(LONGEST_PATIENCE_MS));
        insist(unanswered -> submit(offer, patience, unanswered));
        Pause.of(config.pause());
    }

    private String any(List<String> some) {
        return some.get(random.nextInt(some.size()));
    }

    private Offer offer(int size, List<String> some) {
        List<Draft> drafts = new ArrayList<>();
        List<OfferedJob> jobs = new ArrayList<>();
        boolean inOneStep = some.stream().limit(size).distinct().count() == 1;
        for (int i = 0; i < size; i++) {
            String queue = some.get(i % some.size());
            Slot slot = mixed.contains(queue) && random.nextBoolean() ? anySlot() : Slot.of(queue);
            String id = id(slot);
            int priority = PRIORITIES[random.nextInt(PRIORITIES.length)];
            Draft draft = draft(
                    "chaos.bounded",
                    queue,
                    id,
                    100,
                    ",'priority':" + priority,
                    "x".repeat(random.nextInt(LARGEST_ARGUMENT)));
            drafts.add(draft);
            jobs.add(new OfferedJob(id, queue, priority, draft.json().length + ADDED_BYTES, tenant));
            inOneStep &= slot.equals(Slot.of(queue));
        }
        return new Offer(drafts, jobs, size == 1 ? null : batchName(), inOneStep);
    }

    private Answer submit(Offer offer, Duration patience, boolean unanswered) {
        Instant at = Instant.ofEpochMilli(System.currentTimeMillis());
        String wait = String.format(Locale.ROOT, "%.3f", patience.toMillis() / 1e3);
        Heard heard = enqueue(
                offer.drafts,
                offer.batch,
                patience.isZero() ? Map.of(TENANT, tenant) : Map.of(TENANT, tenant, "OJS-Block-Timeout", wait));
        Answer answer = note(heard, offer.drafts, offer.batch, unanswered);
        recorder.add(new Offered(heard.span(), at, offer.jobs, offer.inOneStep, patience, answer, full(heard)));
        return answer;
    }

    private static @Nullable Full full(Heard heard) {
        if (heard.status() != 429) return null;
        String queue = heard.body().at("/error/details/queue").asString("");
        return queue.isEmpty()
                ? null
                : new Full(queue, heard.body().at("/error/details/reason").asString(""));
    }
}
