package io.floodgate.gateway.queue;

import io.floodgate.topics.client.RefusedException;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.command.Refusal;
import io.floodgate.topics.job.EnvelopeReader;

/** Names as they come from callers. */
final class QueueNames {
    private QueueNames() {}

    static String check(String name) throws RefusedException {
        if (EnvelopeReader.isQueueName(name)) return name;
        throw new RefusedException(
                Refusal.of(ErrorCode.INVALID_QUEUE, "'%s' cannot be the name of a queue.".formatted(Limits.echo(name)))
                        .with("field", "name"));
    }
}
