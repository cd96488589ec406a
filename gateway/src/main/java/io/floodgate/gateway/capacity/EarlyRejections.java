package io.floodgate.gateway.capacity;

import io.floodgate.gateway.http.QueueLoad;
import io.floodgate.topics.client.CommandClient;
import io.floodgate.topics.client.CommandNotSent;
import io.floodgate.topics.command.QueueCommand.CountRejected;
import io.floodgate.topics.command.Rejection;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Rejects jobs that a partition would reject, without asking it. Reports their number to the partition once a second,
 * so that its counters and events include them.
 */
public final class EarlyRejections {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /**
     * Time for which an answer is held back. Else a client that retries at once, on many connections, would take all
     * processors.
     */
    private static final Duration MOMENT = Duration.ofMillis(1);

    private final CommandClient client;
    private final CapacityCache doors;
    private final Executor later;

    /** @param later runs something after a second */
    EarlyRejections(CommandClient client, CapacityCache doors, Executor later) {
        this.client = client;
        this.doors = doors;
        this.later = later;
    }

    public EarlyRejections(CommandClient client, CapacityCache doors) {
        this(client, doors, CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS, Thread::startVirtualThread));
    }

    /** Jobs are rejected without a question. */
    public void rejected(Demand demand, Rejection rejection) {
        CachedCapacity door = doors.find(demand.queue());
        if (door == null) return;
        doors.count(demand.jobs());
        String tenant = QueueLoad.of(rejection).text("tenant_id").orElse(CachedCapacity.NO_TENANT);
        count(demand.queue(), door, tenant, demand.jobs(), demand.type());
        LockSupport.parkNanos(MOMENT.toNanos());
    }

    private void count(String queue, CachedCapacity door, String tenant, long jobs, String type) {
        if (door.count(tenant, jobs, type)) later.execute(() -> tell(queue, door, tenant));
    }

    private void tell(String queue, CachedCapacity door, String tenant) {
        CountRejected command = new CountRejected(
                queue,
                door.takeUnreported(tenant),
                door.lastType(tenant),
                tenant.equals(CachedCapacity.NO_TENANT) ? null : tenant);
        var unused = client.send(client.routing().ofQueue(queue), queue, command, PATIENCE)
                .whenComplete((reply, failure) -> {
                    // Any other failure leaves open whether it was counted: it is not reported twice.
                    if (failure instanceof CommandNotSent) count(queue, door, tenant, command.jobs(), command.type());
                });
    }
}
