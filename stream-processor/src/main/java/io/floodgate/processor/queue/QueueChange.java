package io.floodgate.processor.queue;

import io.floodgate.topics.queue.QueueConfig;

/** What can happen to a queue. {@link Queues#apply} is the one place that makes it happen. */
sealed interface QueueChange {
    /** Its first use. */
    record Created() implements QueueChange {}

    record Configured(QueueConfig config) implements QueueChange {}

    record Paused() implements QueueChange {}

    record Resumed() implements QueueChange {}

    /** Nobody has used it for long, and nothing is left of its jobs. */
    record Abandoned() implements QueueChange {}
}
