package io.floodgate.gateway.queue;

import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.job.EnvelopeReader;

/** Names as they come from callers. */
public final class QueueNames {
    private QueueNames() {}

    public static String check(String name) throws RejectedException {
        if (EnvelopeReader.isQueueName(name)) return name;
        throw new RejectedException(Rejection.of(
                        ErrorCode.INVALID_QUEUE, "'%s' cannot be the name of a queue.".formatted(Limits.echo(name)))
                .with("field", "name"));
    }
}
