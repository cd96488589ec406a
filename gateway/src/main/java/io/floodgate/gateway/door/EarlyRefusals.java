package io.floodgate.gateway.door;

import io.floodgate.gateway.http.QueueLoad;
import io.floodgate.topics.client.CommandClient;
import io.floodgate.topics.client.CommandNotSent;
import io.floodgate.topics.command.QueueCommand.CountRefused;
import io.floodgate.topics.command.Refusal;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Refuses what a log would refuse, without asking it. The log is told once a second how many these were, so that its count
 * and its events have all of them.
 */
public final class EarlyRefusals {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /**
     * So long an answer is held back. Whoever tries again at once, on each of many connections, would otherwise have the
     * processors to himself.
     */
    private static final Duration MOMENT = Duration.ofMillis(1);

    private final CommandClient client;
    private final Doors doors;
    private final Executor later;

    /** @param later runs something after a second */
    EarlyRefusals(CommandClient client, Doors doors, Executor later) {
        this.client = client;
        this.doors = doors;
        this.later = later;
    }

    public EarlyRefusals(CommandClient client, Doors doors) {
        this(client, doors, CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS, Thread::startVirtualThread));
    }

    /** Jobs are refused without a question. */
    public void refused(Demand demand, Refusal refusal) {
        Door door = doors.find(demand.queue());
        if (door == null) return;
        doors.count(demand.jobs());
        String tenant = QueueLoad.of(refusal).text("tenant_id").orElse(Door.NO_TENANT);
        count(demand.queue(), door, tenant, demand.jobs(), demand.type());
        LockSupport.parkNanos(MOMENT.toNanos());
    }

    private void count(String queue, Door door, String tenant, long jobs, String type) {
        if (door.count(tenant, jobs, type)) later.execute(() -> tell(queue, door, tenant));
    }

    private void tell(String queue, Door door, String tenant) {
        CountRefused command = new CountRefused(
                queue, door.takeUntold(tenant), door.lastType(tenant), tenant.equals(Door.NO_TENANT) ? null : tenant);
        var unused = client.send(client.routing().ofQueue(queue), queue, command, PATIENCE)
                .whenComplete((reply, failure) -> {
                    // Of anything else nobody knows whether it was counted: it is not told twice.
                    if (failure instanceof CommandNotSent) count(queue, door, tenant, command.jobs(), command.type());
                });
    }
}
