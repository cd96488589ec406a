package io.floodgate.processor.topology;

import io.floodgate.processor.cron.WantedPlan;
import io.floodgate.processor.partition.PartitionEngine;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.calendar.CalendarZones;
import io.floodgate.topics.calendar.Planning;
import io.floodgate.topics.calendar.Timing;
import io.floodgate.topics.calendar.UnreadableExpression;
import io.floodgate.topics.command.CronCommand.PlanSchedule;
import io.floodgate.topics.cron.SchedulePlan;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks into calendars for one partition: when a schedule is due is environment, as time zones change, so that it is found out
 * here, and told to the partition by a record. Two planners do no harm, since a plan is only taken where it goes on.
 */
final class Planner {
    private static final Logger LOG = LoggerFactory.getLogger(Planner.class);
    private static final int MOST_AT_ONCE = 50;

    /** A plan that was lost is made again. */
    private static final Duration AGAIN = Duration.ofSeconds(5);

    private final PartitionId log;
    private final PartitionWriter writer;
    private final Clock clock;
    private final String tzdata = CalendarZones.version();
    /** What was sent for each schedule, and when. */
    private final Map<String, Sent> sent = new ConcurrentHashMap<>();

    private record Sent(WantedPlan plan, Instant at) {}

    Planner(PartitionId log, PartitionWriter writer, Clock clock) {
        this.log = log;
        this.writer = writer;
        this.clock = clock;
    }

    /** After a record was executed; the thread that executes records looks into the engine, and another one into calendars. */
    void plan(PartitionEngine engine) {
        List<WantedPlan> wanted = engine.wantedPlans(tzdata, MOST_AT_ONCE);
        if (wanted.isEmpty()) {
            if (!sent.isEmpty()) sent.clear();
            return;
        }
        Instant now = clock.instant();
        List<WantedPlan> due = wanted.stream().filter(plan -> isNew(plan, now)).toList();
        if (due.isEmpty()) return;
        due.forEach(plan -> sent.put(plan.name(), new Sent(plan, now)));
        Thread.ofVirtual().start(() -> due.forEach(this::send));
    }

    private boolean isNew(WantedPlan plan, Instant now) {
        Sent before = sent.get(plan.name());
        return before == null
                || !before.plan.equals(plan)
                || before.at.plus(AGAIN).isBefore(now);
    }

    private void send(WantedPlan wanted) {
        try {
            Timing timing = Timing.parse(wanted.expression(), wanted.timezone());
            SchedulePlan plan = Planning.plan(timing, wanted.from());
            if (plan.times().isEmpty()) return;
            writer.command(log, new PlanSchedule(wanted.name(), wanted.generation(), wanted.from(), plan), failure -> {
                if (failure != null)
                    LOG.warn(
                            "The plan of schedule '{}' could not be appended ({}); it will be soon.",
                            wanted.name(),
                            failure.toString());
            });
        } catch (UnreadableExpression unreadable) {
            LOG.error(
                    "Schedule '{}' is not planned any more: {} The time zone database of this processor is {}.",
                    wanted.name(),
                    unreadable.reason(),
                    tzdata);
        }
    }
}
