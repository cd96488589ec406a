package io.floodgate.topics.command;

import static io.floodgate.topics.command.CommandType.Owner.PARTITION;
import static io.floodgate.topics.command.CommandType.Owner.SCHEDULE;
import static io.floodgate.topics.command.CommandType.command;
import static io.floodgate.topics.command.CommandType.query;
import static io.floodgate.topics.command.CommandType.rows;
import static io.floodgate.topics.command.TrafficClass.READS;
import static io.floodgate.topics.command.TrafficClass.WORK;

import java.util.List;

/** Commands about schedules. */
final class CronCommandTypes {
    static final List<CommandType<?>> ROWS = rows(
            command(
                            "put-schedule",
                            CronCommand.PutSchedule.class,
                            SCHEDULE,
                            WORK,
                            "Registers a schedule, or changes it.")
                    .bounded(c -> ScheduleCodec.check(c.spec().job())),
            command(
                    "enable-schedule",
                    CronCommand.EnableSchedule.class,
                    SCHEDULE,
                    WORK,
                    "Pauses or resumes a schedule."),
            command(
                    "delete-schedule",
                    CronCommand.DeleteSchedule.class,
                    SCHEDULE,
                    WORK,
                    "Removes a schedule. Its jobs go on."),
            query("get-schedule", CronCommand.GetSchedule.class, SCHEDULE, WORK, "Returns a schedule."),
            query(
                    "list-schedules",
                    CronCommand.ListSchedules.class,
                    PARTITION,
                    READS,
                    "Lists the schedules of this partition, by name."),
            command("trigger-schedule", CronCommand.TriggerSchedule.class, SCHEDULE, WORK, "Runs a schedule now."),
            command(
                    "backfill-schedule",
                    CronCommand.BackfillSchedule.class,
                    SCHEDULE,
                    WORK,
                    "Runs a schedule for times of the past."),
            command(
                    "keep-schedules",
                    CronCommand.KeepSchedules.class,
                    PARTITION,
                    WORK,
                    "Removes what a manager of schedules does not list any more."),
            command(
                    "plan-schedule",
                    CronCommand.PlanSchedule.class,
                    SCHEDULE,
                    WORK,
                    "Says when a schedule is due next."));

    private CronCommandTypes() {}
}
