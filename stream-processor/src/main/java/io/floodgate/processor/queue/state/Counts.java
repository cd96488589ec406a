package io.floodgate.processor.queue.state;

import io.floodgate.processor.queue.state.JobRecord.Promise;
import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import io.floodgate.topics.JobState;
import java.time.Instant;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** How many jobs of a queue are in which state, and how large the unfinished ones are. */
public final class Counts {
    private static final JobState[] STATES = JobState.values();

    private final long[] byState = new long[STATES.length];
    private long reserved;
    private long deadLetters;
    /** When the last one came, in epoch milliseconds; 0 if none has. */
    private long lastDeadAt;

    private long bytes;
    /** Of jobs that are on their way here from another queue: their room is kept. */
    private long expected;

    private long expectedBytes;
    /** What jobs that are to make room for a batch do not count, since what they make room for does. */
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

    /** Reserves room for jobs that are to come, or less than before. */
    public void expect(long jobs, long ofBytes) {
        expected += jobs;
        expectedBytes += ofBytes;
    }

    /** Jobs that are to come, and whose room is reserved. */
    public long expected() {
        return expected;
    }

    public void expectAs(Counts other) {
        expected = other.expected;
        expectedBytes = other.expectedBytes;
    }

    /** Whether there is more to store than what every queue has. */
    boolean hasMore() {
        return expected != 0 || expectedBytes != 0 || promisesAny();
    }

    private boolean promisesAny() {
        return promised != 0 || promisedBytes != 0;
    }

    /** With jobs that are to make room, as if they did not: the depth as events count it, and what is reserved. */
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

    /** When the last one of them came; null if there are none. */
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
