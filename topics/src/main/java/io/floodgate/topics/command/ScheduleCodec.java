package io.floodgate.topics.command;

import io.floodgate.topics.cron.SchedulePlan;
import io.floodgate.topics.cron.SchedulePlan.PlannedGap;
import io.floodgate.topics.cron.ScheduleSpec;
import io.floodgate.topics.cron.ScheduleSpec.JobTemplate;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MalformedJson;
import io.floodgate.topics.json.MemberWalk;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Schedules and plans as JSON, for commands and stores. */
public final class ScheduleCodec {
    private ScheduleCodec() {}

    /** The members of an object. */
    public static void write(ScheduleSpec spec, JsonOut out) {
        RecordForm.of(ScheduleSpec.class).write(spec, out);
    }

    static void write(JobTemplate template, JsonOut out) {
        out.fieldRaw("job", template.envelope())
                .fieldRaw("meta", template.meta())
                .fieldRaw("template", template.shown());
    }

    static JobTemplate template(JsonFields in) throws UnreadableCommand, MalformedJson {
        in.withTexts("job", "meta", "template");
        return JobTemplate.of(in.object("job"), in.object("meta"), in.object("template"));
    }

    static void check(JobTemplate template) throws UnreadableCommand {
        Limits.bytes("job_template", template.shown(), ScheduleSpec.MOST_TEMPLATE_BYTES);
        Limits.bytes("job", template.envelope(), 2 * ScheduleSpec.MOST_TEMPLATE_BYTES);
        Limits.bytes("meta", template.meta(), ScheduleSpec.MOST_TEMPLATE_BYTES);
    }

    /** A stored one. */
    public static ScheduleSpec spec(byte[] json) {
        try {
            return RecordForm.of(ScheduleSpec.class).fromBytes(json);
        } catch (UnreadableCommand | MalformedJson unreadable) {
            throw new IllegalStateException("a schedule that could be read before", unreadable);
        }
    }

    /** Who registers a stored one together with others. */
    public static @Nullable String managerOf(byte[] json) {
        return MemberWalk.text(json, "managed_by").orElse(null);
    }

    /** Members of an object: times as milliseconds, each since the one before. */
    static void write(SchedulePlan plan, JsonOut out) {
        if (plan.times().isEmpty() && plan.gaps().isEmpty()) return;
        out.beginArray("times");
        long last = 0;
        for (Instant time : plan.times()) {
            out.value(time.toEpochMilli() - last);
            last = time.toEpochMilli();
        }
        out.endArray().beginArray("gaps");
        for (PlannedGap gap : plan.gaps()) out.value(gap.at().toEpochMilli()).value(gap.skipped());
        out.endArray().field("tzdata", plan.tzdata());
    }

    static SchedulePlan plan(JsonFields in) throws UnreadableCommand {
        if (!in.has("times")) return SchedulePlan.NONE;
        List<Instant> times = new ArrayList<>();
        long last = 0;
        for (long delta : in.numbers("times")) {
            if (delta <= 0) throw new UnreadableCommand("'times' must rise.");
            last = Math.addExact(last, delta);
            times.add(Instant.ofEpochMilli(last));
        }
        List<Long> numbers = in.numbers("gaps");
        List<PlannedGap> gaps = new ArrayList<>();
        for (int i = 0; i + 1 < numbers.size(); i += 2)
            gaps.add(new PlannedGap(
                    Instant.ofEpochMilli(numbers.get(i)), (int) Math.clamp(numbers.get(i + 1), 1L, 1_000_000L)));
        String tzdata = in.text("tzdata");
        if (times.size() > SchedulePlan.MOST || gaps.size() > SchedulePlan.MOST || tzdata.length() > 20)
            throw new UnreadableCommand("The plan has more than %d times.".formatted(SchedulePlan.MOST));
        return new SchedulePlan(times, gaps, tzdata);
    }
}
