package io.floodgate.processor.log;

import io.floodgate.processor.directory.Directory;
import io.floodgate.processor.kernel.Handlers;
import io.floodgate.processor.limit.LimitRules;
import io.floodgate.processor.queue.QueueRules;
import io.floodgate.topics.LogId;
import io.floodgate.topics.command.Message.Lost;
import io.floodgate.topics.command.Message.PermitLetter;

/** What is looked up after messages between this log and another one were lost, and what comes of permits. */
final class Losses {
    private final Directory directory;
    private final QueueRules queues;
    private final LimitRules limits;

    Losses(Directory directory, QueueRules queues, LimitRules limits) {
        this.directory = directory;
        this.queues = queues;
        this.limits = limits;
    }

    void register(Handlers handlers) {
        handlers.on(Lost.class, m -> verify(m.receiver()));
        handlers.on(PermitLetter.class, this::take);
    }

    void verify(LogId other) {
        directory.verify(other);
        queues.verifyPermits(other);
        limits.verify(other);
    }

    private void take(PermitLetter letter) {
        letter.asks().forEach(limits::ask);
        letter.gives().forEach(queues::take);
    }
}
