package io.floodgate.processor.cron;

import io.floodgate.topics.cron.RunRules;
import io.floodgate.topics.cron.ScheduleSpec;
import io.floodgate.topics.json.JsonOut;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A schedule as gateways read it. */
final class ScheduleView {
    private ScheduleView() {}

    /** @param history null if it is not asked for */
    static void write(
            String name,
            ScheduleSpec spec,
            ScheduleState state,
            Occurrences next,
            @Nullable List<OccurrenceOutcome> history,
            JsonOut out) {
        RunRules rules = spec.rules();
        out.beginObject()
                .field("name", name)
                .field("expression", spec.expression())
                .field("timezone", spec.timezone())
                .optional("every_ms", millis(spec.every()))
                .fieldRaw("job_template", spec.job().shown())
                .field("queue", spec.job().queue())
                .field("overlap_policy", rules.overlap().wire())
                .field("catch_up", rules.catchUp().wire())
                .field("catch_up_window_ms", rules.catchUpWindow().toMillis())
                .field("jitter_ms", rules.jitter().toMillis())
                .optional("max_wait_ms", millis(rules.maxWait()))
                .optional("managed_by", spec.managedBy())
                .optional("description", spec.description())
                .field("enabled", state.enabled)
                .field("version", state.version)
                .field("generation", state.generation)
                .field("created_at", state.createdAt)
                .optional("registered_by", state.by == null ? null : state.by.name())
                .field("anchor", state.anchor)
                .optional("paused_since", state.pausedSince)
                .optional("next_run_at", state.enabled ? next.next() : null)
                .optional("planned_until", spec.every() == null ? state.planEnd : null)
                .optional("tzdata", state.tzdata.isEmpty() ? null : state.tzdata)
                .optional("last_run_at", state.lastRunAt)
                .optional("last_job_id", state.lastJob == null ? null : state.lastJob.toString())
                .optional("last_success_at", state.lastSuccessAt)
                .field("run_count", state.runs)
                .field("skipped_count", state.skips)
                .beginArray("running");
        for (ScheduledRun run : state.unfinished) {
            out.beginObject()
                    .field("job_id", run.job().toString())
                    .field("scheduled_at", run.occurrence())
                    .field("manual", run.manual())
                    .field("waits_for_room", !run.placed() && !run.held())
                    .field("waits_for_run", run.held())
                    .endObject();
        }
        out.endArray();
        if (history != null) {
            out.beginArray("history");
            for (OccurrenceOutcome outcome : history.reversed()) outcome.show(out);
            out.endArray();
        }
        out.endObject();
    }

    private static @Nullable Long millis(@Nullable Duration duration) {
        return duration == null ? null : (Long) duration.toMillis();
    }
}
