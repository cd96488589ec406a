package io.floodgate.verification.chaos;

import static io.floodgate.verification.client.RequestBodies.json;

import io.floodgate.topics.Slot;
import io.floodgate.verification.chaos.Special.TenantBounds;
import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.Caller.Heard;
import io.floodgate.verification.client.Pause;
import io.floodgate.verification.history.Answer;
import io.floodgate.verification.history.Recorder;
import io.floodgate.verification.history.Step.OfTenant;
import io.floodgate.verification.history.Step.TenantBounded;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Wants to enqueue more jobs of a tenant than it may have over all queues, one by one and in batches over several queues,
 * beside a few of another tenant.
 */
final class TenantProducer extends LoadProducer {
    private static final String BOUNDED = "bounded";
    private static final double OTHERS = 0.1;
    private static final double BATCHES = 0.1;
    private static final int BATCH = 4;
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final Duration BETWEEN_TRIES = Duration.ofMillis(200);
    /** More than any job can use up. */
    private static final int ATTEMPTS = 1_000;

    private static final List<String> STRATEGIES = List.of("reject", "block", "reject", "drop_oldest");

    TenantProducer(String name, Caller caller, ChaosConfig config, Recorder recorder, Random random) {
        super(name, caller, config, recorder, random);
    }

    /** Has the bounds set before anything is enqueued. */
    static void prepare(Caller caller, List<String> queues, TenantBounds bounds, Recorder recorder) {
        for (int i = 0; i < queues.size(); i++)
            Governor.insist(
                    caller,
                    queues.get(i),
                    json("{'backpressure':{'strategy':'%s','max_depth':%d}}", strategy(i), 10 * bounds.maxJobs()));
        byte[] limits =
                json("{'limits':{'max_jobs':%d,'max_concurrency':%d}}", bounds.maxJobs(), bounds.maxConcurrency());
        Heard heard = caller.call("PUT", "/ojs/v1/admin/tenants/" + BOUNDED, limits);
        while (!heard.isOk()) {
            Pause.of(BETWEEN_TRIES);
            heard = caller.call("PUT", "/ojs/v1/admin/tenants/" + BOUNDED, limits);
        }
        recorder.add(new TenantBounded(heard.span(), bounds.maxJobs(), bounds.maxConcurrency()));
    }

    private static String strategy(int queue) {
        return STRATEGIES.get(queue % STRATEGIES.size());
    }

    @Override
    public void once() {
        boolean isBatch = random.nextDouble() < BATCHES;
        List<Integer> some = IntStream.range(0, isBatch ? BATCH : 1)
                .mapToObj(i -> random.nextInt(queues.size()))
                .toList();
        List<Draft> drafts = some.stream().map(this::draft).toList();
        String batch = isBatch ? batchName() : null;
        String tenant = random.nextDouble() < OTHERS ? "other" : BOUNDED;
        boolean waits = random.nextBoolean();
        insist(unanswered -> submit(drafts, some, batch, tenant, waits, unanswered));
        Pause.of(config.pause());
    }

    private Draft draft(int queue) {
        String name = queues.get(queue);
        return draft("chaos.tenant", name, id(random.nextBoolean() ? Slot.of(name) : anySlot()), ATTEMPTS, "");
    }

    private Answer submit(
            List<Draft> drafts,
            List<Integer> some,
            @Nullable String batch,
            String tenant,
            boolean waits,
            boolean unanswered) {
        Map<String, String> headers = waits
                ? Map.of("X-OJS-Tenant", tenant, "OJS-Block-Timeout", String.valueOf(PATIENCE.toSeconds()))
                : Map.of("X-OJS-Tenant", tenant);
        Heard heard = enqueue(drafts, batch, headers);
        Answer answer = note(heard, drafts, batch, unanswered);
        if (!tenant.equals(BOUNDED)) return answer;
        for (int i = 0; i < drafts.size(); i++) {
            String id = String.valueOf(drafts.get(i).id());
            boolean mayBeDropped = strategy(some.get(i)).equals("drop_oldest");
            recorder.add(new OfTenant(heard.span(), id, mayBeDropped, answer));
            if (answer == Answer.OK) cancelByChance(id);
        }
        return answer;
    }
}
