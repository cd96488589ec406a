package io.floodgate.processor.queue.lifecycle;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.LogicVersion;
import io.floodgate.processor.kernel.PartitionContext;
import io.floodgate.processor.queue.bound.Producers;
import io.floodgate.processor.queue.job.Jobs;
import io.floodgate.processor.queue.state.Queue;
import io.floodgate.processor.queue.state.SystemDefaults;
import java.time.Instant;

/** The forms in which a queue is shown: its record on {@code ojs.queue-status}, and answers. */
public final class QueueReplies {
    private final Jobs jobs;
    private final Producers producers;
    private final LogicVersion rules;
    private final Effects out;

    public QueueReplies(Jobs jobs, Producers producers, PartitionContext context) {
        this.jobs = jobs;
        this.producers = producers;
        rules = context.rules();
        out = context.out();
    }

    public byte[] status(Queue queue, Instant now) {
        return QueueStatus.of(queue, jobs.oldest(queue), jobs.keyTurns().figures(queue), now, producers);
    }

    /** Returns the queue with all of its configuration, and with the counts of its tenants. */
    public byte[] complete(Queue queue) {
        return QueueStatus.complete(status(queue, out.now()), queue, SystemDefaults.of(rules.settings()));
    }

    /** Sends the queue to the requester. */
    void show(Queue queue) {
        if (out.replyTo() == null) return;
        out.reply(complete(queue));
    }
}
