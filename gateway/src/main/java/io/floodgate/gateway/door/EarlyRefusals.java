package io.floodgate.gateway.door;

import io.floodgate.topics.client.CommandClient;
import io.floodgate.topics.client.CommandNotSent;
import io.floodgate.topics.command.QueueCommand.CountRefused;
import io.floodgate.topics.command.Refusal;
import java.time.Duration;
import java.util.Optional;
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

    /** Jobs whose ids were made here: whether another id is taken already, only a log can say. */
    public Optional<Refusal> refuse(Demand demand) {
        Door door = doors.find(demand.queue());
        Refusal refusal = door == null ? null : door.refuse(demand, doors.now());
        if (door == null || refusal == null) return Optional.empty();
        doors.count(demand.jobs());
        count(demand.queue(), door, demand.jobs(), demand.type());
        LockSupport.parkNanos(MOMENT.toNanos());
        return Optional.of(refusal);
    }

    private void count(String queue, Door door, long jobs, String type) {
        if (door.count(jobs, type)) later.execute(() -> tell(queue, door));
    }

    private void tell(String queue, Door door) {
        CountRefused command = new CountRefused(queue, door.takeUntold(), door.lastType());
        var unused = client.send(client.routing().ofQueue(queue), queue, command, PATIENCE)
                .whenComplete((reply, failure) -> {
                    // Of anything else nobody knows whether it was counted: it is not told twice.
                    if (failure instanceof CommandNotSent) count(queue, door, command.jobs(), command.type());
                });
    }
}
