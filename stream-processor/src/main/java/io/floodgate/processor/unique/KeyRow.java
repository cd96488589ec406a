package io.floodgate.processor.unique;

import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import io.floodgate.topics.JobId;
import io.floodgate.topics.JobState;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.command.UniqueMessage.KeyNote;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A job that may have a key, or had it until it ended.
 *
 * @param number of this row among all of its home: a later one has come after it
 * @param space of the callers that it counts for; null for none
 * @param log the partition from which the last note came
 * @param states that the job's own policy names
 * @param told the number of the last note taken from the job
 * @param ended in which state it has ended; null while it has not, as far as is known here
 */
record KeyRow(
        JobId job,
        long number,
        @Nullable String space,
        PartitionId log,
        Instant createdAt,
        int states,
        @Nullable Duration period,
        int told,
        @Nullable JobState ended) {
    /**
     * Returns the time until which the job has its key although it has ended; null for as long as the job can be looked
     * at.
     */
    @Nullable
    Instant until() {
        return period == null ? null : createdAt.plus(period);
    }

    KeyRow with(KeyNote note, PartitionId from) {
        JobState end = note.state().isTerminal() ? note.state() : null;
        return new KeyRow(job, number, space, from, note.createdAt(), note.states(), note.period(), note.number(), end);
    }

    void write(BinaryOut out) {
        out.job(job)
                .number(number)
                .optional(space)
                .text(log.toString())
                .time(createdAt)
                .number(states)
                .number(period == null ? 0 : period.toMillis())
                .number(told)
                .u8(ended == null ? 0 : ended.code() + 1);
    }

    static KeyRow read(BinaryIn in) {
        JobId job = in.job();
        long number = in.number();
        String space = in.optionalText();
        PartitionId log = PartitionId.parse(in.text());
        Instant createdAt = in.time();
        int states = in.integer();
        long period = in.number();
        int told = in.integer();
        int ended = in.u8();
        return new KeyRow(
                job,
                number,
                space,
                log,
                createdAt,
                states,
                period == 0 ? null : Duration.ofMillis(period),
                told,
                ended == 0 ? null : JobState.ofCode(ended - 1));
    }
}
