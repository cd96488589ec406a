package io.floodgate.topics.command;

import static io.floodgate.topics.command.CommandType.Owner.PARTITION;
import static io.floodgate.topics.command.CommandType.Owner.SCHEDULE;
import static io.floodgate.topics.command.CommandType.command;
import static io.floodgate.topics.command.CommandType.query;
import static io.floodgate.topics.command.TrafficClass.READS;
import static io.floodgate.topics.command.TrafficClass.WORK;

import io.floodgate.topics.command.CommandType.LateReply;
import io.floodgate.topics.command.CronCommand.BackfillSchedule;
import io.floodgate.topics.command.CronCommand.DeleteSchedule;
import io.floodgate.topics.command.CronCommand.EnableSchedule;
import io.floodgate.topics.command.CronCommand.GetSchedule;
import io.floodgate.topics.command.CronCommand.KeepSchedules;
import io.floodgate.topics.command.CronCommand.ListSchedules;
import io.floodgate.topics.command.CronCommand.PlanSchedule;
import io.floodgate.topics.command.CronCommand.PutSchedule;
import io.floodgate.topics.command.CronCommand.TriggerSchedule;
import io.floodgate.topics.cron.ScheduleSpec;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MalformedJson;
import java.time.Instant;
import java.util.List;

/** Commands about schedules. */
final class CronCommandTypes {
    static final List<CommandType<?>> ROWS = List.of(
            command(PutSchedule.class, SCHEDULE, WORK, "Registers a schedule, or changes it.")
                    .json("put-schedule", CronCommandTypes::writePut, CronCommandTypes::readPut)
                    .bounded(CronCommandTypes::check),
            command(EnableSchedule.class, SCHEDULE, WORK, "Pauses or resumes a schedule.")
                    .json(
                            "enable-schedule",
                            (c, out) -> {
                                out.field("name", c.name())
                                        .field("enabled", c.enabled())
                                        .field("catch_up", c.catchUp());
                                ScheduleCodec.write(c.plan(), out);
                            },
                            in -> new EnableSchedule(
                                    in.text("name"), in.flag("enabled"), in.flag("catch_up"), ScheduleCodec.plan(in)))
                    .bounded(c -> name(c.name())),
            command(DeleteSchedule.class, SCHEDULE, WORK, "Removes a schedule. Its jobs go on.")
                    .json(
                            "delete-schedule",
                            (c, out) -> out.field("name", c.name()),
                            in -> new DeleteSchedule(in.text("name")))
                    .bounded(c -> name(c.name())),
            query(GetSchedule.class, SCHEDULE, WORK, "Returns a schedule.")
                    .json(
                            "get-schedule",
                            (c, out) -> out.field("name", c.name()).field("history", c.history()),
                            in -> new GetSchedule(in.text("name"), in.flag("history")))
                    .bounded(c -> name(c.name())),
            query(ListSchedules.class, PARTITION, READS, "Lists the schedules of this partition, by name.")
                    .json(
                            "list-schedules",
                            (c, out) -> out.field("limit", c.limit()).optional("after", c.after()),
                            in -> new ListSchedules(
                                    in.count("limit", ListSchedules.MAX_LIMIT), in.optionalText("after")))
                    .bounded(c -> Limits.name("after", c.after())),
            command(TriggerSchedule.class, SCHEDULE, WORK, "Runs a schedule now.")
                    .json(
                            "trigger-schedule",
                            (c, out) -> out.field("name", c.name()).field("force", c.force()),
                            in -> new TriggerSchedule(in.text("name"), in.flag("force")))
                    .lateReply(LateReply.DROPPED)
                    .bounded(c -> name(c.name())),
            command(BackfillSchedule.class, SCHEDULE, WORK, "Runs a schedule for times of the past.")
                    .json(
                            "backfill-schedule",
                            (c, out) -> {
                                out.field("name", c.name()).name("times_ms").beginArray();
                                for (Instant time : c.times()) out.value(time.toEpochMilli());
                                out.endArray();
                            },
                            in -> new BackfillSchedule(
                                    in.text("name"),
                                    in.numbers("times_ms").stream()
                                            .map(Instant::ofEpochMilli)
                                            .toList()))
                    .bounded(c -> {
                        name(c.name());
                        Limits.most("times_ms", c.times().size(), BackfillSchedule.MOST);
                    }),
            command(KeepSchedules.class, PARTITION, WORK, "Removes what a manager of schedules does not list any more.")
                    .json(
                            "keep-schedules",
                            (c, out) -> out.field("manager", c.manager()).field("kept", c.kept()),
                            in -> new KeepSchedules(in.text("manager"), in.texts("kept")))
                    .bounded(c -> {
                        Limits.name("manager", c.manager());
                        Limits.most("kept", c.kept().size(), KeepSchedules.MOST);
                    }),
            command(PlanSchedule.class, SCHEDULE, WORK, "Says when a schedule is due next.")
                    .json(
                            "plan-schedule",
                            (c, out) -> {
                                out.field("name", c.name())
                                        .field("generation", c.generation())
                                        .field("from_ms", c.from().toEpochMilli());
                                ScheduleCodec.write(c.plan(), out);
                            },
                            in -> new PlanSchedule(
                                    in.text("name"),
                                    in.number("generation"),
                                    Instant.ofEpochMilli(in.number("from_ms")),
                                    ScheduleCodec.plan(in)))
                    .bounded(c -> name(c.name())));

    private CronCommandTypes() {}

    private static void name(String name) throws UnreadableCommand {
        if (!ScheduleSpec.isName(name))
            throw new UnreadableCommand("'%s' cannot be the name of a schedule.".formatted(Limits.echo(name)));
    }

    private static void check(PutSchedule command) throws UnreadableCommand {
        name(command.name());
        ScheduleSpec spec = command.spec();
        Limits.name("expression", spec.expression());
        Limits.name("timezone", spec.timezone());
        Limits.name("managed_by", spec.managedBy());
        Limits.chars("description", spec.description(), ScheduleSpec.MOST_DESCRIPTION_CHARS);
        Limits.bytes("job_template", spec.job().shown(), ScheduleSpec.MOST_TEMPLATE_BYTES);
        Limits.bytes("job", spec.job().envelope(), 2 * ScheduleSpec.MOST_TEMPLATE_BYTES);
        Limits.bytes("meta", spec.job().meta(), ScheduleSpec.MOST_TEMPLATE_BYTES);
    }

    private static void writePut(PutSchedule command, JsonOut out) {
        out.field("name", command.name()).name("spec").beginObject();
        ScheduleCodec.write(command.spec(), out);
        out.endObject();
        Boolean enabled = command.enabled();
        if (enabled != null) out.field("enabled", enabled);
        out.optional("expected", command.expected());
        ScheduleCodec.write(command.plan(), out);
    }

    private static PutSchedule readPut(JsonFields in) throws UnreadableCommand, MalformedJson {
        return new PutSchedule(
                in.text("name"),
                ScheduleCodec.spec(in.fields("spec").withTexts("job", "meta", "template")),
                in.has("enabled") ? (Boolean) in.flag("enabled") : null,
                in.optionalNumber("expected"),
                ScheduleCodec.plan(in));
    }
}
