package io.floodgate.processor.cron;

import io.floodgate.topics.JobId;
import io.floodgate.topics.command.ReplyTo;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A job that a schedule has made, until it has ended.
 *
 * @param occurrence when it was due
 * @param manual it was run by hand
 * @param placed its queue has it
 * @param replyTo who waits to hear of it
 * @param outcome the number of its outcome in the schedule's {@link ScheduleHistory}; none before it is placed
 * @param held no queue was asked for it: it waits until the run before it has ended
 */
record ScheduledRun(
        JobId job,
        Instant occurrence,
        boolean manual,
        boolean placed,
        @Nullable ReplyTo replyTo,
        long outcome,
        boolean held) {
    private static final long NO_OUTCOME = 0;

    /** One that its queue is still to answer about. */
    ScheduledRun(JobId job, Instant occurrence, boolean manual, @Nullable ReplyTo replyTo) {
        this(job, occurrence, manual, false, replyTo, NO_OUTCOME, false);
    }

    ScheduledRun heldBack() {
        return new ScheduledRun(job, occurrence, manual, false, replyTo, NO_OUTCOME, true);
    }

    ScheduledRun released() {
        return new ScheduledRun(job, occurrence, manual, null);
    }

    ScheduledRun placedNow(long outcome) {
        return new ScheduledRun(job, occurrence, manual, true, null, outcome, false);
    }

    ScheduledRun answered() {
        return new ScheduledRun(job, occurrence, manual, placed, null, outcome, held);
    }
}
