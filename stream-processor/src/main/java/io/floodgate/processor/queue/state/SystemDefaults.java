package io.floodgate.processor.queue.state;

import io.floodgate.topics.command.PartitionSettings;
import io.floodgate.topics.queue.Access;
import io.floodgate.topics.queue.DeadLettering;
import io.floodgate.topics.queue.JobDefaults;
import io.floodgate.topics.queue.Keeping;
import io.floodgate.topics.queue.QueueConfig;
import io.floodgate.topics.queue.QueuePolicy;
import io.floodgate.topics.retry.RetryOptions;
import io.floodgate.topics.retry.RetryPolicy;

/** The defaults of the system: the lowest layer of a queue's configuration (OJS queue configuration §7.2). */
public final class SystemDefaults {
    private SystemDefaults() {}

    public static QueueConfig of(PartitionSettings settings) {
        return QueueConfig.of(new QueuePolicy(
                new JobDefaults(
                        JobRecord.DEFAULT_TIMEOUT,
                        JobRecord.DEFAULT_VISIBILITY,
                        RetryOptions.of(RetryPolicy.DEFAULT),
                        false),
                new Keeping(settings.completed(), settings.discarded(), settings.cancelled(), null, null, null),
                DeadLettering.NONE,
                new Access(Access.ALL, Access.ALL)));
    }
}
