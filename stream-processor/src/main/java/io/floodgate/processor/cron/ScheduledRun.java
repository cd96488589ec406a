package io.floodgate.processor.cron;

import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
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
 */
record ScheduledRun(
        JobId job,
        Instant occurrence,
        boolean manual,
        boolean placed,
        @Nullable ReplyTo replyTo) {
    ScheduledRun placedNow() {
        return new ScheduledRun(job, occurrence, manual, true, null);
    }

    ScheduledRun answered() {
        return new ScheduledRun(job, occurrence, manual, placed, null);
    }

    void write(BinaryOut out) {
        out.job(job).time(occurrence).flag(manual).flag(placed).optional(replyTo == null ? null : replyTo.toString());
    }

    static ScheduledRun read(BinaryIn in) {
        JobId job = in.job();
        Instant occurrence = in.time();
        boolean manual = in.flag();
        boolean placed = in.flag();
        String replyTo = in.optionalText();
        return new ScheduledRun(job, occurrence, manual, placed, replyTo == null ? null : ReplyTo.parse(replyTo));
    }
}
