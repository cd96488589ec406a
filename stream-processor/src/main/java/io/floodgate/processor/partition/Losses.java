package io.floodgate.processor.partition;

import io.floodgate.processor.directory.Directory;
import io.floodgate.processor.kernel.Handlers;
import io.floodgate.processor.limit.LimitRules;
import io.floodgate.processor.own.OwnJobs;
import io.floodgate.processor.queue.QueueRules;
import io.floodgate.processor.tenant.TenantHomes;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.command.Message.Lost;
import io.floodgate.topics.command.Message.PermitMessage;

/**
 * Checks what is affected after messages between this partition and another one were lost, and what follows for
 * permits.
 */
record Losses(Directory directory, QueueRules queues, LimitRules limits, TenantHomes tenants, OwnJobs ownJobs) {
    void register(Handlers handlers) {
        handlers.on(Lost.class, m -> verify(m.receiver()));
        handlers.on(PermitMessage.class, this::take);
    }

    void verify(PartitionId other) {
        directory.verify(other);
        queues.verifyPermits(other);
        limits.verify(other);
        tenants.verify(other);
        ownJobs.verify(other);
    }

    private void take(PermitMessage message) {
        message.asks().forEach(limits::ask);
        message.gives().forEach(queues::take);
    }
}
