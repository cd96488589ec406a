package io.floodgate.processor.queue.state;

import io.floodgate.processor.store.StoredForm;
import io.floodgate.topics.JobState;
import io.floodgate.topics.command.ProgressReport;
import io.floodgate.topics.json.JsonOut;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The progress of a run of a job, as its worker reported it last (OJS progress §5). It is that of one run: the next one
 * begins without, but for the checkpoint, from which it may go on.
 *
 * @param lease the number of the run's lease
 * @param at when that was said
 * @param toldAt when it was last announced
 */
public record RunProgress(
        long lease,
        @Nullable Double share,
        @Nullable String message,
        byte @Nullable [] data,
        Checkpoint checkpoint,
        Instant at,
        Instant toldAt) {
    public static final StoredForm<RunProgress> STORED =
            new StoredForm<>(RunProgress.class, 1, "the progress of a job");
    /** Readers that follow a job need no more events. */
    private static final Duration BETWEEN_EVENTS = Duration.ofSeconds(1);

    /** An event carries no more than this of what a handler has to show. */
    private static final int LARGEST_TOLD = 4096;

    /** @param isTold whether it is announced */
    public record Step(RunProgress now, boolean isTold) {}

    /** Returns the progress after a report. */
    public static Step after(@Nullable RunProgress before, ProgressReport report, long lease, Instant now) {
        Checkpoint checkpoint = (before == null ? Checkpoint.NONE : before.checkpoint).after(report, now);
        RunProgress same = before == null || before.lease != lease ? null : before;
        if (same == null)
            return new Step(
                    new RunProgress(lease, report.share(), report.message(), report.data(), checkpoint, now, now),
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
                now,
                isTold ? now : same.toldAt);
        return new Step(next, isTold);
    }

    /** Returns whether a report has an older checkpoint than is stored. */
    public static boolean isStale(@Nullable RunProgress before, ProgressReport report) {
        return before != null && before.checkpoint.isAfter(report);
    }

    public RunProgress withoutCheckpoint() {
        return new RunProgress(lease, share, message, data, checkpoint.deleted(), at, toldAt);
    }

    /** Progress does not go back (OJS progress §5.1). */
    private static @Nullable Double larger(@Nullable Double before, @Nullable Double now) {
        if (before == null || now == null) return before == null ? now : before;
        return Math.max(before, now);
    }

    /** Writes, beside the job, its latest run's progress, and the checkpoint from which another one could go on. */
    public void show(JobRecord job, JsonOut out) {
        if (lease == job.leases && isOfLatestRun(job.state)) {
            Double shown = job.state == JobState.COMPLETED ? (Double) 1.0 : share;
            out.beginObject("progress");
            if (shown != null) out.field("progress", shown);
            out.optional("message", message)
                    .optionalRaw("data", data)
                    .field("updated_at", at)
                    .endObject();
        }
        if (job.isLive()) checkpoint.show(out);
    }

    private static boolean isOfLatestRun(JobState state) {
        return switch (state) {
            case ACTIVE, RETRYABLE, COMPLETED, CANCELLED, DISCARDED -> true;
            case AVAILABLE, SCHEDULED, PENDING -> false;
        };
    }

    /** Writes the progress into an event. */
    public void tell(JsonOut data) {
        if (share != null) data.field("progress", share).field("progress_percent", Math.round(100 * share));
        data.optional("message", message);
        if (this.data != null && this.data.length <= LARGEST_TOLD) data.fieldRaw("data", this.data);
    }
}
