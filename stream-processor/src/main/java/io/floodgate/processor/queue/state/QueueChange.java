package io.floodgate.processor.queue.state;

import io.floodgate.topics.queue.QueueConfig;
import org.jspecify.annotations.Nullable;

/** A change of a queue. {@link Queues#apply} is the one place that applies it. */
public sealed interface QueueChange {
    /**
     * The queue is used for the first time, or an operator makes it.
     *
     * @param explicit an operator has made it: it is not forgotten when it is unused
     */
    record Created(boolean explicit, QueueConfig config) implements QueueChange {}

    record Configured(QueueConfig config) implements QueueChange {}

    record Paused(@Nullable String reason) implements QueueChange {}

    record Resumed() implements QueueChange {}

    /** The queue is to be deleted, and takes nothing in any more. */
    record Closed(Ending ending) implements QueueChange {}

    /** The target of its jobs had no capacity: the queue goes on as before. */
    record Reopened() implements QueueChange {}

    /** Nothing unfinished is left of the queue. Finished jobs stay until their retention is over. */
    record Deleted() implements QueueChange {}

    /** The queue has been unused for long, and nothing is left of its jobs. */
    record Abandoned() implements QueueChange {}
}
