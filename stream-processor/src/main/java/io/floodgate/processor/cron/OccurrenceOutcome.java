package io.floodgate.processor.cron;

import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import io.floodgate.topics.JobId;
import io.floodgate.topics.JobState;
import io.floodgate.topics.json.JsonOut;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What has become of an occurrence, or of several that were skipped together.
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
    /** The most that are kept of a schedule. */
    static final int KEPT = 50;

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

    static byte[] write(List<OccurrenceOutcome> outcomes) {
        BinaryOut out = new BinaryOut().u8(1).number(outcomes.size());
        for (OccurrenceOutcome each : outcomes)
            out.time(each.occurrence)
                    .time(each.decidedAt)
                    .flag(each.manual)
                    .optional(each.reason)
                    .number(each.count)
                    .optional(each.job == null ? null : each.job.toString())
                    .optional(each.state == null ? null : each.state.wire())
                    .optional(each.endedAt);
        return out.toBytes();
    }

    /** The oldest first. */
    static List<OccurrenceOutcome> read(byte @Nullable [] stored) {
        List<OccurrenceOutcome> outcomes = new ArrayList<>();
        if (stored == null) return outcomes;
        BinaryIn in = new BinaryIn(stored);
        in.version(1, () -> "the history of a schedule");
        for (int left = in.integer(); left > 0; left--) {
            Instant occurrence = in.time();
            Instant decidedAt = in.time();
            boolean manual = in.flag();
            String reason = in.optionalText();
            int count = in.integer();
            String job = in.optionalText();
            String state = in.optionalText();
            outcomes.add(new OccurrenceOutcome(
                    occurrence,
                    decidedAt,
                    manual,
                    reason,
                    count,
                    job == null ? null : JobId.parse(job).orElseThrow(),
                    state == null ? null : JobState.parse(state).orElseThrow(),
                    in.optionalTime()));
        }
        return outcomes;
    }
}
