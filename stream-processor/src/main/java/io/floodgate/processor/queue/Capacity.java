package io.floodgate.processor.queue;

import io.floodgate.processor.kernel.Rules;
import io.floodgate.processor.kernel.Timers;
import io.floodgate.processor.limit.LimitRules;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.LogSettings;
import io.floodgate.topics.command.Refusal;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** What the queues of a log may take in memory, and what they take: when it is spent, only what frees some goes on. */
final class Capacity {
    private final Queues queues;
    private final JobOrders orders;
    private final Waiters waiters;
    private final LeaseRegistrations registrations;
    private final Timers timers;
    private final Producers producers;
    private final TenantCounting tenants;
    private final DeskTable desks;
    private final LimitRules limits;
    private final Rules rules;

    Capacity(
            Queues queues,
            JobOrders orders,
            Waiters waiters,
            LeaseRegistrations registrations,
            Timers timers,
            Producers producers,
            TenantCounting tenants,
            DeskTable desks,
            LimitRules limits,
            Rules rules) {
        this.desks = desks;
        this.limits = limits;
        this.queues = queues;
        this.orders = orders;
        this.waiters = waiters;
        this.registrations = registrations;
        this.timers = timers;
        this.producers = producers;
        this.tenants = tenants;
        this.rules = rules;
    }

    long bytes() {
        LeaseIndex leases = orders.leases;
        return queues.size() * Memory.QUEUE
                + queues.names()
                + queues.configBytes() * Memory.CONFIG_BYTE
                + orders.ready() * Memory.READY_JOB
                + leases.leases() * Memory.LEASE
                + leases.handouts() * Memory.HANDOUT
                + leases.holders() * Memory.HOLDER
                + leases.names()
                + timers.bytes()
                + waiters.bytes()
                + producers.memoryBytes()
                + tenants.memoryBytes()
                + desks.bytes()
                + limits.memoryBytes()
                + queues.limitBytes()
                + registrations.bytes();
    }

    /** Nothing new may come in. */
    boolean isSpent() {
        long most = rules.settings().maxMemoryBytes();
        return most > 0 && bytes() >= most;
    }

    /** Why no job can be taken into these queues; null when one can. */
    @Nullable
    Refusal refuse(Collection<String> names) {
        if (isSpent()) return refuseAll();
        if (queues.size() + names.size() <= Queues.MOST / 2) return null;
        long more = names.stream().filter(name -> queues.find(name) == null).count();
        if (more == 0) return null;
        if (queues.size() + more <= Queues.MOST) return queues.leavesRoom(more) ? null : tooManyOfOne();
        return Refusal.of(
                        ErrorCode.TOO_MANY_QUEUES,
                        "The log of this queue has %d queues; no more than %d can be in use."
                                .formatted(queues.size(), Queues.MOST))
                .with("max_queues", Queues.MOST);
    }

    private static Refusal tooManyOfOne() {
        return Refusal.of(
                        ErrorCode.TOO_MANY_QUEUES,
                        "Your key has brought as many queues into the log of this one as it leaves room for others'. Use names of queues that there are, or wait until unused ones are forgotten.")
                .with("max_queues", Queues.MOST);
    }

    private Refusal refuseAll() {
        long most = rules.settings().maxMemoryBytes();
        if (most == LogSettings.NO_DISK)
            return Refusal.of(
                    ErrorCode.MEMORY_FULL,
                    "The disk under the log of this queue is nearly full; jobs that are there can be fetched and completed.");
        return Refusal.of(
                        ErrorCode.MEMORY_FULL,
                        "The log of this queue has no memory left for more; jobs that are there can be fetched and completed.")
                .with("max_memory_bytes", most);
    }
}
