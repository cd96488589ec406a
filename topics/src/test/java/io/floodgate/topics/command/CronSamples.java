package io.floodgate.topics.command;

import static io.floodgate.topics.command.Samples.json;

import io.floodgate.topics.command.CronCommand.BackfillSchedule;
import io.floodgate.topics.command.CronCommand.DeleteSchedule;
import io.floodgate.topics.command.CronCommand.EnableSchedule;
import io.floodgate.topics.command.CronCommand.GetSchedule;
import io.floodgate.topics.command.CronCommand.KeepSchedules;
import io.floodgate.topics.command.CronCommand.ListSchedules;
import io.floodgate.topics.command.CronCommand.PlanSchedule;
import io.floodgate.topics.command.CronCommand.PutSchedule;
import io.floodgate.topics.command.CronCommand.TriggerSchedule;
import io.floodgate.topics.cron.CatchUp;
import io.floodgate.topics.cron.OverlapPolicy;
import io.floodgate.topics.cron.RunRules;
import io.floodgate.topics.cron.SchedulePlan;
import io.floodgate.topics.cron.SchedulePlan.PlannedGap;
import io.floodgate.topics.cron.ScheduleSpec;
import io.floodgate.topics.cron.ScheduleSpec.JobTemplate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Commands about schedules. */
final class CronSamples {
    private CronSamples() {}

    static void add(Map<String, Command> samples) {
        JobTemplate job = new JobTemplate(
                "report",
                "reports",
                json("{\"type\":\"report\",\"args\":[1.10],\"queue\":\"reports\"}"),
                json("{\"team\":\"a\"}"),
                json("{\"type\":\"report\",\"args\":[1.10]}"));
        RunRules rules = new RunRules(
                OverlapPolicy.CANCEL_PREVIOUS,
                CatchUp.ALL,
                Duration.ofHours(2),
                Duration.ofSeconds(30),
                Duration.ofMinutes(1));
        Instant at = Instant.parse("2026-02-13T12:05:00Z");
        SchedulePlan plan = new SchedulePlan(
                List.of(at, at.plusSeconds(60)), List.of(new PlannedGap(at.plusSeconds(30), 2)), "2025b");
        ScheduleSpec least =
                new ScheduleSpec("@every 90s", "UTC", Duration.ofSeconds(90), job, RunRules.DEFAULT, null, null);
        ScheduleSpec most = new ScheduleSpec("5 * * * *", "Europe/Berlin", null, job, rules, "billing", "What for");
        samples.put("put-schedule", new PutSchedule("nightly", most, true, 7L, plan));
        samples.put("put-schedule-least", new PutSchedule("nightly", least, null, null, SchedulePlan.NONE));
        samples.put("enable-schedule", new EnableSchedule("nightly", true, true, plan));
        samples.put("enable-schedule-least", new EnableSchedule("nightly", false, false, SchedulePlan.NONE));
        samples.put("delete-schedule", new DeleteSchedule("nightly"));
        samples.put("get-schedule", new GetSchedule("nightly", true));
        samples.put("list-schedules", new ListSchedules(100, "nightly"));
        samples.put("list-schedules-least", new ListSchedules(100, null));
        samples.put("trigger-schedule", new TriggerSchedule("nightly", true));
        samples.put("backfill-schedule", new BackfillSchedule("nightly", List.of(at, at.plusSeconds(60))));
        samples.put("keep-schedules", new KeepSchedules("billing", List.of("nightly", "hourly")));
        samples.put("plan-schedule", new PlanSchedule("nightly", 3, at, plan));
    }
}
