package io.floodgate.processor.queue.job;

import io.floodgate.processor.kernel.Entity;
import io.floodgate.processor.kernel.Undo;
import io.floodgate.processor.queue.state.FairOrder;
import io.floodgate.processor.queue.state.IndexEntry;
import io.floodgate.processor.queue.state.Queue;
import io.floodgate.processor.queue.state.Queues;
import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import io.floodgate.processor.store.KeyValues;
import io.floodgate.processor.store.Keys;
import io.floodgate.processor.store.TurnKeys;
import org.jspecify.annotations.Nullable;

/**
 * Gives tenants their turns, in those queues where they take turns, and stores them: one number for each tenant with available
 * jobs of a priority, and one for the priority, as long as there are any.
 */
public record TenantTurns(KeyValues entities, Queues queues, Undo undo) implements Entity {
    @Override
    public void load() {
        byte[] prefix = TurnKeys.allTurns();
        entities.scan(prefix, Keys.after(prefix), (key, value) -> {
            TurnKeys.Turn turn = TurnKeys.read(key);
            Queue queue = queues.find(turn.queue());
            FairOrder fair = queue == null ? null : queue.fair();
            if (fair != null) set(fair, turn.priority(), turn.tenant(), new BinaryIn(value).number());
            return true;
        });
    }

    private static void set(FairOrder fair, int priority, @Nullable String tenant, long turn) {
        if (tenant == null) fair.time(priority, turn);
        else fair.turn(priority, tenant, turn);
    }

    private static @Nullable FairOrder fair(IndexEntry job) {
        return job.queue() == null ? null : job.queue().fair();
    }

    /** The job has become available: the first one of its tenant has the turn after the one that began last. */
    void entered(IndexEntry job) {
        FairOrder fair = fair(job);
        Queue queue = job.queue();
        if (fair == null || queue == null) return;
        String tenant = FairOrder.tenantOf(job);
        if (fair.turn(job.priority(), tenant) > 0 || !fair.waits(job.priority(), tenant)) return;
        change(queue, fair, job.priority(), tenant, fair.time(job.priority()) + fair.step(tenant));
    }

    /** The job is handed out: its tenant's turn begins, and the next one is as far away as its weight says. */
    void start(IndexEntry job) {
        FairOrder fair = fair(job);
        Queue queue = job.queue();
        if (fair == null || queue == null || !fair.isOn()) return;
        String tenant = FairOrder.tenantOf(job);
        // One that was held back has missed its turns.
        // mutant: turns-missed
        long now = Math.max(fair.time(job.priority()), fair.turn(job.priority(), tenant));
        change(queue, fair, job.priority(), null, now);
        change(queue, fair, job.priority(), tenant, now + fair.step(tenant));
    }

    /** The job is not available any more: of a tenant, or a priority, without jobs nothing is kept. */
    void left(IndexEntry job) {
        FairOrder fair = fair(job);
        Queue queue = job.queue();
        if (fair == null || queue == null) return;
        int priority = job.priority();
        String tenant = FairOrder.tenantOf(job);
        // mutant: turns-forgotten
        if (!fair.waits(priority, tenant)) change(queue, fair, priority, tenant, 0);
        if (!fair.hasJobs(priority)) change(queue, fair, priority, null, 0);
    }

    private void change(Queue queue, FairOrder fair, int priority, @Nullable String tenant, long now) {
        long before = tenant == null ? fair.time(priority) : fair.turn(priority, tenant);
        if (before == now) return;
        set(fair, priority, tenant, now);
        undo.by(() -> set(fair, priority, tenant, before));
        byte[] key = TurnKeys.turn(queue.name, priority, tenant);
        if (now == 0) entities.delete(key);
        else entities.put(key, new BinaryOut().number(now).toBytes());
    }

    /** Ends turns in a queue in which no job is available, and whose tenants take no turns any more. */
    void end(Queue queue) {
        FairOrder before = queue.fair();
        if (before == null) return;
        queue.follow(null);
        undo.by(() -> queue.follow(before));
    }
}
