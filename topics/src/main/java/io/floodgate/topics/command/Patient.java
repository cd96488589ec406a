package io.floodgate.topics.command;

import java.time.Duration;

/** A command that can wait for room in a queue whose strategy is to block (OJS backpressure §5.2), or in any queue. */
public sealed interface Patient extends Command
        permits QueueCommand.Enqueue, QueueCommand.EnqueueBatch, QueueCommand.HoldRoom, OwnJobMessage.PlaceOwn {
    /** How long; not at all if zero. */
    Duration maxWait();

    /** The same, as patient as this. */
    Patient waiting(Duration time);
}
