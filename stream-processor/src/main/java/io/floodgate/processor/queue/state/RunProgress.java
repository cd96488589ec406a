package io.floodgate.processor.queue.state;

import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import io.floodgate.topics.JobState;
import io.floodgate.topics.command.ProgressReport;
import io.floodgate.topics.json.JsonOut;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * How far a run of a job has come, as its worker last said (OJS progress §5). It is that of one run: the next one begins
 * without, but for the checkpoint, from which it may go on.
 *
 * @param lease the number of the run's lease
 * @param sequence the number of the checkpoint; 0 if there is none
 * @param at when that was said
 * @param toldAt when it was last announced
 */
public record RunProgress(
        long lease,
        @Nullable Double share,
        @Nullable String message,
        byte @Nullable [] data,
        byte @Nullable [] checkpoint,
        long sequence,
        Instant at,
        Instant toldAt) {
    private static final int VERSION = 1;
    /** Readers that follow a job need no more events. */
    private static final Duration BETWEEN_EVENTS = Duration.ofSeconds(1);

    /** An event carries no more than this of what a handler has to show. */
    private static final int LARGEST_TOLD = 4096;

    /** @param isTold whether it is announced */
    public record Step(RunProgress now, boolean isTold) {}

    /** What a report makes of what was known before. */
    public static Step after(@Nullable RunProgress before, ProgressReport report, long lease, Instant now) {
        byte[] checkpoint = report.checkpoint();
        if (checkpoint == null && before != null) checkpoint = before.checkpoint;
        long sequence = sequence(before, report);
        RunProgress same = before == null || before.lease != lease ? null : before;
        if (same == null)
            return new Step(
                    new RunProgress(
                            lease, report.share(), report.message(), report.data(), checkpoint, sequence, now, now),
                    true);
        Double share = larger(same.share, report.share());
        boolean isDone = share != null && share == 1 && !share.equals(same.share);
        boolean isTold = isDone || !same.toldAt.plus(BETWEEN_EVENTS).isAfter(now);
        RunProgress next = new RunProgress(
                lease,
                share,
                report.message() == null ? same.message : report.message(),
                report.data() == null ? same.data : report.data(),
                checkpoint,
                sequence,
                now,
                isTold ? now : same.toldAt);
        return new Step(next, isTold);
    }

    private static long sequence(@Nullable RunProgress before, ProgressReport report) {
        long last = before == null ? 0 : before.sequence;
        if (report.checkpoint() == null) return last;
        return report.sequence() == null ? last + 1 : report.sequence();
    }

    /** Whether a report has an older checkpoint than is stored. One that is sent again, the same, does no harm. */
    public static boolean isStale(@Nullable RunProgress before, ProgressReport report) {
        Long sequence = report.sequence();
        if (before == null || sequence == null || report.checkpoint() == null) return false;
        return sequence < before.sequence
                || (sequence == before.sequence && !Arrays.equals(report.checkpoint(), before.checkpoint));
    }

    /** The same without its checkpoint. Its number stays: a late report must not bring an old one back. */
    public RunProgress withoutCheckpoint() {
        return new RunProgress(lease, share, message, data, null, sequence, at, toldAt);
    }

    /** Progress does not go back (OJS progress §5.1). */
    private static @Nullable Double larger(@Nullable Double before, @Nullable Double now) {
        if (before == null || now == null) return before == null ? now : before;
        return Math.max(before, now);
    }

    /** Beside the job: its latest run's progress, and where another one could go on. */
    public void show(JobRecord job, JsonOut out) {
        if (lease == job.leases && isOfLatestRun(job.state)) {
            Double shown = job.state == JobState.COMPLETED ? (Double) 1.0 : share;
            out.name("progress").beginObject();
            if (shown != null) out.field("progress", shown);
            out.optional("message", message)
                    .optionalRaw("data", data)
                    .field("updated_at", at)
                    .endObject();
        }
        if (job.state != JobState.COMPLETED && checkpoint != null)
            out.fieldRaw("last_checkpoint", checkpoint).field("checkpoint_sequence", sequence);
    }

    private static boolean isOfLatestRun(JobState state) {
        return switch (state) {
            case ACTIVE, RETRYABLE, COMPLETED, CANCELLED, DISCARDED -> true;
            case AVAILABLE, SCHEDULED, PENDING -> false;
        };
    }

    /** In an event. */
    public void tell(JsonOut data) {
        if (share != null) data.field("progress", share).field("progress_percent", Math.round(100 * share));
        data.optional("message", message);
        if (this.data != null && this.data.length <= LARGEST_TOLD) data.fieldRaw("data", this.data);
    }

    public byte[] write() {
        BinaryOut out = new BinaryOut()
                .u8(VERSION)
                .number(lease)
                .time(at)
                .time(toldAt)
                .number(sequence)
                .u8((share == null ? 0 : 1) | (data == null ? 0 : 2) | (checkpoint == null ? 0 : 4))
                .optional(message);
        if (share != null) out.real(share);
        if (data != null) out.blob(data);
        if (checkpoint != null) out.blob(checkpoint);
        return out.toBytes();
    }

    public static RunProgress read(byte[] stored) {
        BinaryIn in = new BinaryIn(stored);
        in.version(VERSION, () -> "the progress of a job");
        long lease = in.number();
        Instant at = in.time();
        Instant toldAt = in.time();
        long sequence = in.number();
        int parts = in.u8();
        String message = in.optionalText();
        Double share = (parts & 1) == 0 ? null : (Double) in.real();
        byte[] data = (parts & 2) == 0 ? null : in.blob();
        byte[] checkpoint = (parts & 4) == 0 ? null : in.blob();
        return new RunProgress(lease, share, message, data, checkpoint, sequence, at, toldAt);
    }
}
