package io.floodgate.topics.command;

import io.floodgate.topics.cron.CatchUp;
import io.floodgate.topics.cron.OverlapPolicy;
import io.floodgate.topics.cron.RunRules;
import io.floodgate.topics.cron.SchedulePlan;
import io.floodgate.topics.cron.SchedulePlan.PlannedGap;
import io.floodgate.topics.cron.ScheduleSpec;
import io.floodgate.topics.cron.ScheduleSpec.JobTemplate;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MalformedJson;
import io.floodgate.topics.json.MemberWalk;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Schedules and plans as JSON, for commands and stores. */
public final class ScheduleCodec {
    private ScheduleCodec() {}

    /** The members of an object. */
    public static void write(ScheduleSpec spec, JsonOut out) {
        out.field("expression", spec.expression())
                .field("timezone", spec.timezone())
                .optional("every_ms", millis(spec.every()))
                .fieldRaw("job", spec.job().envelope())
                .fieldRaw("meta", spec.job().meta())
                .fieldRaw("template", spec.job().shown())
                .field("overlap", spec.rules().overlap().wire())
                .field("catch_up", spec.rules().catchUp().wire())
                .field("window_ms", spec.rules().catchUpWindow().toMillis())
                .field("jitter_ms", spec.rules().jitter().toMillis())
                .optional("max_wait_ms", millis(spec.rules().maxWait()))
                .optional("managed_by", spec.managedBy())
                .optional("description", spec.description());
    }

    private static @Nullable Long millis(@Nullable Duration duration) {
        return duration == null ? null : (Long) duration.toMillis();
    }

    static ScheduleSpec spec(JsonFields in) throws UnreadableCommand, MalformedJson {
        RunRules rules = new RunRules(
                OverlapPolicy.parse(in.text("overlap"))
                        .orElseThrow(() -> new UnreadableCommand("'overlap' is unknown.")),
                CatchUp.parse(in.text("catch_up")).orElseThrow(() -> new UnreadableCommand("'catch_up' is unknown.")),
                in.millis("window_ms"),
                in.millis("jitter_ms"),
                in.optionalMillis("max_wait_ms"));
        Duration every = in.optionalMillis("every_ms");
        if (every != null && every.toMillis() < 1_000) throw new UnreadableCommand("'every_ms' is less than a second.");
        return new ScheduleSpec(
                in.text("expression"),
                in.text("timezone"),
                every,
                JobTemplate.of(in.object("job"), in.object("meta"), in.object("template")),
                rules,
                in.optionalText("managed_by"),
                in.optionalText("description"));
    }

    /** A stored one. */
    public static ScheduleSpec spec(byte[] json) {
        try {
            return spec(JsonFields.of(json));
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
        out.name("times").beginArray();
        long last = 0;
        for (Instant time : plan.times()) {
            out.value(time.toEpochMilli() - last);
            last = time.toEpochMilli();
        }
        out.endArray().name("gaps").beginArray();
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
