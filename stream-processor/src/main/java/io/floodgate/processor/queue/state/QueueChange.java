package io.floodgate.processor.queue.state;

import io.floodgate.topics.queue.QueueConfig;
import org.jspecify.annotations.Nullable;

/** What can happen to a queue. {@link Queues#apply} is the one place that makes it happen. */
public sealed interface QueueChange {
    /**
     * Its first use, or an operator's wish.
     *
     * @param explicit an operator has made it: it is not forgotten when it is unused
     */
    record Created(boolean explicit, QueueConfig config) implements QueueChange {}

    record Configured(QueueConfig config) implements QueueChange {}

    record Paused(@Nullable String reason) implements QueueChange {}

    record Resumed() implements QueueChange {}

    /** It is to be deleted, and takes nothing in any more. */
    record Closed(Ending ending) implements QueueChange {}

    /** There was no room where its jobs were to go: it goes on as before. */
    record Reopened() implements QueueChange {}

    /** Nothing unfinished is left of it. What has finished stays until its retention is over. */
    record Deleted() implements QueueChange {}

    /** It has been unused for long, and nothing is left of its jobs. */
    record Abandoned() implements QueueChange {}
}
