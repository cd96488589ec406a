package io.floodgate.verification.chaos;

import static io.floodgate.verification.client.RequestBodies.JOBS;
import static io.floodgate.verification.client.RequestBodies.NOTHING;

import io.floodgate.topics.Slot;
import io.floodgate.topics.queue.KeyOrder;
import io.floodgate.verification.chaos.Special.Order;
import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.Caller.Heard;
import io.floodgate.verification.client.Pause;
import io.floodgate.verification.history.Answer;
import io.floodgate.verification.history.Recorder;
import io.floodgate.verification.history.Step.Ordered;
import io.floodgate.verification.history.Step.Skipped;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Enqueues jobs with order keys, one by one and in batches of one key, of two tenants; now and then takes one back, lets others go before it, or retries a dead letter. */
final class OrderedProducer extends LoadProducer {
    /** Keys with as many jobs as they can run: lines grow while something is down. */
    private static final int HOT = 5;

    private static final double HOT_SHARE = 0.05;
    private static final double OTHER_TENANT = 0.1;
    private static final double BATCHES = 0.05;
    private static final int BATCH = 3;
    private static final double DELAYED = 0.1;
    private static final double LATE = 0.2;
    private static final int MOST_ATTEMPTS = 4;
    private static final double PENDING = 0.05;
    private static final double SKIPS = 0.2;
    private static final double RETRIES = 0.1;
    /** Jobs among which those are that are skipped or retried. */
    private static final int RECENT = 60;

    private static final int MOST_PENDING = 5;
    private static final int TRIES_AT_END = 200;

    private final Order order;
    private final Deque<String> recent = new ArrayDeque<>();
    private final Deque<String> pending = new ArrayDeque<>();

    OrderedProducer(String name, Caller caller, ChaosConfig config, Order order, Recorder recorder, Random random) {
        super(name, caller, config, recorder, random);
        this.order = order;
    }

    @Override
    public void once() {
        int key = random.nextDouble() < HOT_SHARE ? random.nextInt(HOT) : random.nextInt(order.keys());
        String tenant = random.nextDouble() < OTHER_TENANT ? "other" : "usual";
        boolean isPending = random.nextDouble() < PENDING;
        boolean isBatch = random.nextDouble() < BATCHES;
        List<Draft> drafts = IntStream.range(0, isBatch ? BATCH : 1)
                .mapToObj(i -> draft(key, isPending))
                .toList();
        String batch = isBatch ? batchName() : null;
        insist(unanswered -> submit(drafts, batch, key, tenant, isPending, unanswered));
        if (random.nextDouble() < SKIPS) skip();
        if (random.nextDouble() < RETRIES) retry();
        if (pending.size() > random.nextInt(MOST_PENDING)) activateNext();
        Pause.of(config.pause());
    }

    /** It waits for an attempt, a time or its activation, or there is nothing to skip. */
    private void skip() {
        String id = random.nextBoolean() ? pending.peekFirst() : any();
        if (id == null) return;
        Heard heard = caller.call("POST", JOBS + "/" + id + "/skip", NOTHING);
        recorder.add(new Skipped(heard.span(), id, heard.answer()));
    }

    /** Most jobs are no dead letters. */
    private void retry() {
        String id = any();
        if (id != null) caller.call("POST", "/ojs/v1/dead-letter/" + id + "/retry", NOTHING);
    }

    private @Nullable String any() {
        return recent.stream()
                .skip(random.nextInt(Math.max(1, recent.size())))
                .findFirst()
                .orElse(null);
    }

    /** Returns the status of the answer; the job waits on if that was none from its partition, or its enqueue is still on its way. */
    private int activateNext() {
        String id = pending.removeFirst();
        int status = caller.call("POST", JOBS + "/" + id + "/activate", NOTHING).status();
        if (status != 200 && status != 409) pending.addLast(id);
        return status;
    }

    @Override
    public void close() {
        for (int i = 0; i < TRIES_AT_END && !pending.isEmpty(); i++) {
            int status = activateNext();
            if (status == 404) pending.removeLast();
            else if (status != 200 && status != 409) Pause.of(BETWEEN_TRIES);
        }
        super.close();
    }

    private Answer submit(
            List<Draft> drafts, @Nullable String batch, int key, String tenant, boolean isPending, boolean unanswered) {
        Heard heard = enqueue(drafts, batch, Map.of("X-OJS-Tenant", tenant));
        Answer answer = note(heard, drafts, batch, unanswered);
        int queue = key % queues.size();
        KeyOrder rule = Order.of(queue);
        for (Draft draft : drafts) {
            String id = String.valueOf(draft.id());
            recorder.add(new Ordered(heard.span(), id, queues.get(queue), tenant, "key-" + key, rule, answer));
            if (answer == Answer.OK) cancelByChance(id);
            if (isPending && answer.mayHaveHappened() && !pending.contains(id)) pending.addLast(id);
            recent.addLast(id);
            if (recent.size() > RECENT) recent.removeFirst();
        }
        return answer;
    }

    /** A job that fails may be late by more than its key is blocked at most. */
    private Draft draft(int key, boolean isPending) {
        String queue = queues.get(key % queues.size());
        return draft(
                "chaos.ordered",
                queue,
                id(random.nextBoolean() ? Slot.of(queue) : anySlot()),
                1 + random.nextInt(MOST_ATTEMPTS),
                random.nextDouble() < LATE ? "'PT2.5S','backoff_coefficient':1,'jitter':false" : "'PT0.05S'",
                ",'order_key':'key-%d','priority':%d%s"
                        .formatted(
                                key,
                                random.nextInt(3),
                                isPending
                                        ? ",'pending':true"
                                        : random.nextDouble() < DELAYED ? ",'delay_until':'+PT0.5S'" : ""),
                new String[0]);
    }
}
