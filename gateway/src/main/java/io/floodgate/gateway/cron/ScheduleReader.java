package io.floodgate.gateway.cron;

import io.floodgate.gateway.http.Call;
import io.floodgate.gateway.http.RequestFields;
import io.floodgate.topics.calendar.Planning;
import io.floodgate.topics.calendar.Timing;
import io.floodgate.topics.calendar.UnreadableExpression;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.CronCommand.PutSchedule;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.cron.CatchUp;
import io.floodgate.topics.cron.OverlapPolicy;
import io.floodgate.topics.cron.RunRules;
import io.floodgate.topics.cron.SchedulePlan;
import io.floodgate.topics.cron.ScheduleSpec;
import io.floodgate.topics.json.Timestamps;
import io.floodgate.topics.json.WireName;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Reads what is to be registered as a schedule (OJS cron §2), in all the words that clients use. */
final class ScheduleReader {
    private ScheduleReader() {}

    /**
     * @param before as it stands, where it is to be changed; its fields count where nothing is sent
     * @param version of that
     */
    static PutSchedule read(
            String name,
            RequestFields sent,
            @Nullable RequestFields before,
            @Nullable Long version,
            Call call,
            Instant now)
            throws RejectedException {
        ScheduleFields fields = new ScheduleFields(sent, before);
        if (before != null && sent.has("name") && !name.equals(sent.text("name")))
            throw sent.fault("name", "The name of a schedule cannot be changed. Register another schedule.");
        String given = fields.text(1_000, "expression", "cron", "schedule");
        if (given == null) throw sent.fault("expression", "'expression' is missing: it says when the schedule is due.");
        Timing timing = timing(given, fields.timezone(given));
        RunRules rules = rules(fields);
        SchedulePlan plan = Planning.plan(timing, now);
        checkJitter(rules.jitter(), timing.shortest(plan.times()));
        ScheduleSpec spec = new ScheduleSpec(
                timing.expression(),
                timing.zone().getId(),
                timing.every(),
                TemplateReader.read(name, fields.template(), rules.overlap(), call),
                rules,
                fields.text(ScheduleSpec.MOST_NAME_CHARS, "managed_by"),
                fields.text(ScheduleSpec.MOST_DESCRIPTION_CHARS, "description"));
        return new PutSchedule(name, spec, fields.enabled(), version, plan);
    }

    /** A run that is put off beyond the next one would be late, and count as missed. */
    private static void checkJitter(Duration jitter, @Nullable Duration shortest) throws RejectedException {
        if (shortest != null && jitter.compareTo(shortest) >= 0)
            throw RequestFields.wrong(
                    "jitter",
                    "A 'jitter' of %s is too long: the schedule is due every %s. Use a jitter that is shorter than that."
                            .formatted(jitter, shortest));
    }

    static Timing timing(String expression, @Nullable String timezone) throws RejectedException {
        try {
            return Timing.parse(expression, timezone);
        } catch (UnreadableExpression unreadable) {
            throw RequestFields.wrong(unreadable.field(), unreadable.reason());
        }
    }

    static String name(@Nullable String name) throws RejectedException {
        if (name != null && ScheduleSpec.isName(name)) return name;
        throw RequestFields.wrong(
                "name",
                "'%s' cannot be the name of a schedule: lower-case letters, digits, hyphens and dots, beginning with a letter or digit, at most %d."
                        .formatted(Limits.echo(String.valueOf(name)), ScheduleSpec.MOST_NAME_CHARS));
    }

    private static RunRules rules(ScheduleFields fields) throws RejectedException {
        String overlap = fields.text(100, "overlap_policy");
        String catchUp = fields.text(100, "catch_up");
        Duration window = fields.length("catch_up_window");
        Duration jitter = fields.length("jitter");
        Duration wait = fields.length("max_wait");
        return new RunRules(
                overlap == null
                        ? RunRules.DEFAULT.overlap()
                        : WireName.parse(OverlapPolicy.class, overlap)
                                .orElseThrow(() ->
                                        unknown("overlap_policy", overlap, "skip, allow, cancel_previous or enqueue")),
                catchUp == null
                        ? RunRules.DEFAULT.catchUp()
                        : WireName.parse(CatchUp.class, catchUp)
                                .orElseThrow(() -> unknown("catch_up", catchUp, "latest, none or all")),
                within(
                        "catch_up_window",
                        window,
                        RunRules.LEAST_WINDOW,
                        RunRules.MOST_WINDOW,
                        RunRules.DEFAULT.catchUpWindow()),
                within("jitter", jitter, Duration.ZERO, RunRules.MOST_JITTER, RunRules.DEFAULT.jitter()),
                wait == null ? null : within("max_wait", wait, Duration.ZERO, RunRules.MOST_WAIT, wait));
    }

    static Instant time(RequestFields body, String field) throws RejectedException {
        return Timestamps.parse(body.requiredText(field))
                .orElseThrow(() -> body.fault(field, "'%s' must be an RFC 3339 time.".formatted(field)));
    }

    private static RejectedException unknown(String field, String value, String known) {
        return RequestFields.wrong(field, "'%s' is unknown; it is %s.".formatted(Limits.echo(value), known));
    }

    private static Duration within(
            String field, @Nullable Duration given, Duration least, Duration most, Duration otherwise)
            throws RejectedException {
        if (given == null) return otherwise;
        if (given.compareTo(least) >= 0 && given.compareTo(most) <= 0) return given;
        throw RequestFields.wrong(field, "'%s' is from %s to %s.".formatted(field, least, most));
    }
}
