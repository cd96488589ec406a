package io.floodgate.processor.queue.state;

import io.floodgate.processor.queue.state.JobRecord.Promise;
import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import io.floodgate.topics.JobState;
import java.time.Instant;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Counts the jobs of a queue in each state, and the size of the unfinished ones. */
public final class Counts {
    private static final JobState[] STATES = JobState.values();

    private final long[] byState = new long[STATES.length];
    private long reserved;
    private long deadLetters;
    /** Time of the last dead letter, in epoch milliseconds; 0 if there is none. */
    private long lastDeadAt;

    private long bytes;
    /** Jobs that are on their way here from another queue: their capacity is reserved. */
    private long expected;

    private long expectedBytes;
    /** Jobs that do not count while they are victims of a batch, since its jobs count instead. */
    private long promised;

    private long promisedBytes;

    public void add(JobRecord job) {
        change(job, 1);
    }

    public void remove(JobRecord job) {
        change(job, -1);
    }

    private void change(JobRecord job, int by) {
        Promise promise = job.promise;
        if (promise != null) {
            if (promise.counts()) reserved += by;
            else promised += by;
            bytes += by * promise.bytes();
            promisedBytes += by * (job.sizeBytes - promise.bytes());
            return;
        }
        // mutant: reserved-count
        if (job.reserved) reserved += by;
        else byState[job.state.code()] += by;
        if (job.isDeadLetter()) {
            deadLetters += by;
            Instant at = job.deadSince();
            if (at != null) lastDeadAt = Math.max(lastDeadAt, at.toEpochMilli());
        }
        if (job.isLive()) bytes += (long) by * job.sizeBytes;
    }

    /** Reserves capacity for jobs that are to come, or less than before. */
    public void expect(long jobs, long ofBytes) {
        expected += jobs;
        expectedBytes += ofBytes;
    }

    /** Returns the number of jobs that are to come, and whose capacity is reserved. */
    public long expected() {
        return expected;
    }

    public void expectAs(Counts other) {
        expected = other.expected;
        expectedBytes = other.expectedBytes;
    }

    /** Returns whether there is more to store than what every queue has. */
    boolean hasMore() {
        return expected != 0 || expectedBytes != 0 || promisesAny();
    }

    private boolean promisesAny() {
        return promised != 0 || promisedBytes != 0;
    }

    /** Returns the depth with victims of batches, as events count it, and what is reserved. */
    long depthWithPromised() {
        return depth() + promised;
    }

    /** The same in bytes. */
    long bytesWithPromised() {
        return bytes() + promisedBytes;
    }

    public long of(JobState state) {
        return byState[state.code()];
    }

    /** Unfinished jobs: the figure that bounds are about. */
    public long depth() {
        long depth = reserved + expected;
        for (JobState state : STATES) if (!state.isTerminal()) depth += of(state);
        return depth;
    }

    public long all() {
        long all = reserved + expected;
        for (long count : byState) all += count;
        return all;
    }

    public long deadLetters() {
        return deadLetters;
    }

    /** Returns when the last dead letter came; null if there are none. */
    public @Nullable Instant lastDeadAt() {
        return deadLetters == 0 || lastDeadAt == 0 ? null : Instant.ofEpochMilli(lastDeadAt);
    }

    public long bytes() {
        return bytes + expectedBytes;
    }

    void writeMore(BinaryOut out) {
        out.number(expected).number(expectedBytes);
        if (promisesAny()) out.number(promised).number(promisedBytes);
    }

    void readMore(BinaryIn in) {
        expected = in.number();
        expectedBytes = in.number();
        if (!in.hasMore()) return;
        promised = in.number();
        promisedBytes = in.number();
    }

    void write(BinaryOut out) {
        for (long count : byState) out.number(count);
        out.number(reserved).number(deadLetters).number(lastDeadAt).number(bytes);
    }

    static Counts read(BinaryIn in) {
        Counts counts = new Counts();
        for (int i = 0; i < STATES.length; i++) counts.byState[i] = in.number();
        counts.reserved = in.number();
        counts.deadLetters = in.number();
        counts.lastDeadAt = in.number();
        counts.bytes = in.number();
        return counts;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Counts c
                && Arrays.equals(byState, c.byState)
                && reserved == c.reserved
                && deadLetters == c.deadLetters
                && bytes == c.bytes
                && expected == c.expected
                && expectedBytes == c.expectedBytes
                && promised == c.promised
                && promisedBytes == c.promisedBytes;
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(byState);
    }

    @Override
    public String toString() {
        return "%s reserved=%d dead=%d bytes=%d expected=%d/%d promised=%d/%d"
                .formatted(
                        Arrays.toString(byState),
                        reserved,
                        deadLetters,
                        bytes,
                        expected,
                        expectedBytes,
                        promised,
                        promisedBytes);
    }
}
