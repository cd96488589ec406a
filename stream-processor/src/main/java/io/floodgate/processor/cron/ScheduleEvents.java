package io.floodgate.processor.cron;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.topics.JobId;
import io.floodgate.topics.cron.ScheduleSpec;
import io.floodgate.topics.json.JsonOut;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Events of schedules (OJS cron §9), in the words of the specification of cron and in those of the specification of
 * events.
 */
record ScheduleEvents(Effects out) {
    private static JsonOut begin(String name, ScheduleSpec spec, Instant occurrence) {
        return JsonOut.object(512)
                .field("cron_name", name)
                .field("cron_expression", spec.expression())
                .field("cron_expr", spec.expression())
                .field("timezone", spec.timezone())
                .field("scheduled_time", occurrence)
                .field("scheduled_at", occurrence);
    }

    private void emit(String type, String name, JsonOut data, @Nullable Duration late) {
        out.emit(type, name, "cron:" + name, data.endObject(), late);
    }

    void triggered(String name, ScheduleSpec spec, ScheduleState state, ScheduledRun run) {
        Instant now = out.wallTime();
        Duration late = Duration.between(run.occurrence(), now);
        if (late.isNegative()) late = Duration.ZERO;
        JsonOut data = begin(name, spec, run.occurrence())
                .field("job_id", run.job().toString())
                .field("job_type", spec.job().type())
                .field("queue", spec.job().queue())
                .field("run_count", state.runs)
                .field("actual_time", now)
                .field("late_ms", late.toMillis())
                .field("manual", run.manual());
        emit("cron.triggered", name, data, run.manual() ? null : late);
    }

    /** @param existing the job of an earlier run that is in the way */
    void skipped(String name, ScheduleSpec spec, OccurrenceOutcome outcome, @Nullable JobId existing) {
        JsonOut data = begin(name, spec, outcome.occurrence())
                .field("reason", String.valueOf(outcome.reason()))
                .field("queue", spec.job().queue())
                .field("manual", outcome.manual());
        if (outcome.count() > 1) data.field("count", outcome.count());
        if (existing != null)
            data.field("active_job_id", existing.toString()).field("existing_job_id", existing.toString());
        emit("cron.skipped", name, data, null);
    }
}
