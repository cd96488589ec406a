package io.floodgate.gateway.cron;

import io.floodgate.gateway.http.RequestFields;
import io.floodgate.topics.calendar.CronCalendar.Due;
import io.floodgate.topics.calendar.Timing;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.json.JsonOut;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A schedule as it is shown: under all the names by which the specification, SDKs, the command line and the admin page know its fields. */
final class ScheduleJson {
    private static final byte[] NULL = {'n', 'u', 'l', 'l'};
    private static final byte[] NOTHING = {'{', '}'};
    private static final byte[] NO_ARGS = {'[', ']'};
    private static final int SHOWN = 5;

    private ScheduleJson() {}

    /**
     * The members of an object.
     *
     * @param now to show the next times, too; null for a list
     * @param isInside the object stands under a name, and not beside {@code cron}, which is an object there
     */
    static void members(RequestFields schedule, @Nullable Instant now, boolean isInside, JsonOut out)
            throws RejectedException {
        String expression = String.valueOf(schedule.text("expression"));
        RequestFields template = schedule.object("job_template");
        boolean enabled = schedule.flag("enabled");
        out.field("name", String.valueOf(schedule.text("name")))
                .field("id", String.valueOf(schedule.text("name")))
                .field("expression", expression)
                .optional("cron", isInside ? expression : null)
                .field("schedule", expression)
                .field("timezone", String.valueOf(schedule.text("timezone")))
                .field("type", String.valueOf(template.text("type")))
                .field("queue", String.valueOf(schedule.text("queue")))
                .fieldRaw("args", or(template.raw("args"), NO_ARGS))
                .fieldRaw("options", or(template.raw("options"), NOTHING))
                .fieldRaw("meta", or(template.raw("meta"), NOTHING))
                .fieldRaw("job_template", or(schedule.raw("job_template"), NOTHING))
                .field("enabled", enabled)
                .field("status", enabled ? "active" : "paused");
        for (String name : List.of(
                "overlap_policy",
                "catch_up",
                "catch_up_window_ms",
                "jitter_ms",
                "run_count",
                "skipped_count",
                "created_at",
                "version")) out.fieldRaw(name, or(schedule.raw(name), NULL));
        for (String name : List.of("description", "last_run_at", "next_run_at", "last_job_id"))
            out.fieldRaw(name, or(schedule.raw(name), NULL));
        for (String name :
                List.of("max_wait_ms", "managed_by", "registered_by", "paused_since", "last_success_at", "tzdata"))
            out.optionalRaw(name, schedule.raw(name));
        if (now == null) return;
        out.beginArray("next");
        if (enabled) for (Instant next : next(schedule, now, SHOWN)) out.value(next.toString());
        List<JsonNode> running = new ArrayList<>();
        JsonNode runs = schedule.tree("running");
        if (runs != null) runs.forEach(running::add);
        out.endArray().field("running", jobs(running));
        running.removeIf(run -> !run.path("waits_for_run").asBoolean());
        // Their jobs do not exist yet.
        out.field("waits_for_run", jobs(running));
    }

    private static List<String> jobs(List<JsonNode> runs) {
        return runs.stream().map(run -> run.path("job_id").asString()).toList();
    }

    private static byte[] or(byte @Nullable [] raw, byte[] otherwise) {
        return raw == null ? otherwise : raw;
    }

    static List<Instant> next(RequestFields schedule, Instant from, int most) throws RejectedException {
        return timing(schedule).next(from, anchor(schedule), most);
    }

    static Instant anchor(RequestFields schedule) throws RejectedException {
        return Instant.parse(String.valueOf(schedule.text("anchor")));
    }

    static Timing timing(RequestFields schedule) throws RejectedException {
        return ScheduleReader.timing(String.valueOf(schedule.text("expression")), schedule.text("timezone"));
    }

    /** Times with what a clock on the wall shows, and what happens to it; then those among them that do not exist. */
    static void occurrences(Timing timing, Instant from, Instant anchor, int most, JsonOut out) {
        out.beginArray("next");
        for (Instant at : timing.next(from, anchor, most)) {
            LocalDateTime local = begin(timing, at, out);
            if (timing.zone().getRules().getValidOffsets(local).size() > 1)
                out.field("remark", "Clocks are set back: this local time comes twice.");
            out.endObject();
        }
        out.endArray().beginArray("skipped");
        for (Due due : timing.after(from, most)) {
            if (!due.isGap()) continue;
            begin(timing, due.at(), out);
            out.field("count", due.skipped())
                    .field("remark", "Clocks are set ahead: what is due in the time that does not exist is skipped.")
                    .endObject();
        }
        out.endArray();
    }

    private static LocalDateTime begin(Timing timing, Instant at, JsonOut out) {
        ZonedDateTime local = at.atZone(timing.zone());
        out.beginObject()
                .field("at", at)
                .field("local", DateTimeFormatter.ISO_LOCAL_DATE_TIME.format(local.toLocalDateTime()))
                .field("offset", local.getOffset().getId());
        return local.toLocalDateTime();
    }
}
