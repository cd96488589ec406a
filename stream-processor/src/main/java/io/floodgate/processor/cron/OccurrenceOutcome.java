package io.floodgate.processor.cron;

import io.floodgate.topics.JobId;
import io.floodgate.topics.JobState;
import io.floodgate.topics.json.JsonOut;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of an occurrence, or of several that were skipped together.
 *
 * @param occurrence when it was due; of several, the last one
 * @param decidedAt when its queue had it, or it was skipped
 * @param reason why it was skipped; null if it was run
 * @param count of occurrences
 * @param state in which its job has ended; null before that, and for none
 */
record OccurrenceOutcome(
        Instant occurrence,
        Instant decidedAt,
        boolean manual,
        @Nullable String reason,
        int count,
        @Nullable JobId job,
        @Nullable JobState state,
        @Nullable Instant endedAt) {
    static OccurrenceOutcome triggered(ScheduledRun run, Instant now) {
        return new OccurrenceOutcome(run.occurrence(), now, run.manual(), null, 1, run.job(), null, null);
    }

    static OccurrenceOutcome skipped(Instant occurrence, Instant now, boolean manual, String reason, int count) {
        return new OccurrenceOutcome(occurrence, now, manual, reason, count, null, null, null);
    }

    OccurrenceOutcome ended(JobState as, Instant now) {
        return new OccurrenceOutcome(occurrence, decidedAt, manual, reason, count, job, as, now);
    }

    void show(JsonOut out) {
        out.beginObject()
                .field("outcome", reason == null ? "triggered" : "skipped")
                .optional("reason", reason)
                .field("scheduled_at", occurrence);
        if (reason == null) out.field("triggered_at", decidedAt);
        else out.field("skipped_at", decidedAt);
        if (count > 1) out.field("count", count);
        out.field("late_ms", Math.max(0, Duration.between(occurrence, decidedAt).toMillis()))
                .field("manual", manual);
        if (job != null)
            out.field("job_id", job.toString()).field("state", state == null ? "unfinished" : state.wire());
        out.optional("completed_at", endedAt).endObject();
    }
}
