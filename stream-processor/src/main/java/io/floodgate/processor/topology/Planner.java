package io.floodgate.processor.topology;

import io.floodgate.processor.cron.Schedules;
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
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks into calendars for one partition. Time zones change, so the times of schedules are found out here, and sent to
 * the partition in a record. Two planners do no harm, since a plan is only taken where it goes on.
 */
final class Planner {
    private static final Logger LOG = LoggerFactory.getLogger(Planner.class);
    private static final int MOST_AT_ONCE = 50;

    /** A plan that was lost is made again. */
    private static final Duration AGAIN = Duration.ofSeconds(5);

    /** An expression that this processor cannot read, or that never comes, stays so for a while. */
    private static final Duration HOPELESS = Duration.ofHours(1);

    private final PartitionId log;
    private final PartitionWriter writer;
    private final Clock clock;
    private final Executor calendars;
    private final String tzdata = CalendarZones.version();
    /** The last plan that was sent for each schedule, and when. */
    private final Map<String, Sent> sent = new ConcurrentHashMap<>();

    /** Version of the schedules that was looked at last, and when to look again. */
    private long looked = -1;

    private Instant lookAt = Instant.MIN;

    /**
     * @param planEnd the last time that was known
     * @param again not before this time, unless more is known by then
     */
    private record Sent(Instant planEnd, Instant again) {}

    Planner(PartitionId log, PartitionWriter writer, Clock clock) {
        this(log, writer, clock, task -> Thread.ofVirtual().start(task));
    }

    /** @param calendars looks into calendars */
    Planner(PartitionId log, PartitionWriter writer, Clock clock, Executor calendars) {
        this.calendars = calendars;
        this.log = log;
        this.writer = writer;
        this.clock = clock;
    }

    /**
     * Plans after a record was executed. The thread that executes records looks into the engine, and another one into
     * calendars. It looks only if a new plan is wanted, or one that was sent is late.
     */
    void plan(PartitionEngine engine) {
        Schedules schedules = engine.schedules();
        long wishes = schedules.planWishes();
        if (wishes == looked && lookAt.equals(Instant.MAX)) return;
        Instant now = clock.instant();
        if (wishes == looked && now.isBefore(lookAt)) return;
        looked = wishes;
        if (!schedules.wantPlans(tzdata)) {
            sent.clear();
            lookAt = Instant.MAX;
            return;
        }
        List<WantedPlan> wanted = schedules.wantedPlans(tzdata, MOST_AT_ONCE, (name, end) -> isSent(name, end, now));
        lookAt = wanted.size() < MOST_AT_ONCE ? now.plus(AGAIN) : now;
        if (wanted.isEmpty()) return;
        wanted.forEach(plan -> sent.put(plan.name(), new Sent(plan.planEnd(), now.plus(AGAIN))));
        calendars.execute(() -> wanted.forEach(this::send));
    }

    private boolean isSent(String name, Instant planEnd, Instant now) {
        Sent before = sent.get(name);
        return before != null && before.planEnd.equals(planEnd) && now.isBefore(before.again);
    }

    private void send(WantedPlan wanted) {
        try {
            Timing timing = Timing.parse(wanted.expression(), wanted.timezone());
            SchedulePlan plan = Planning.plan(timing, wanted.from());
            if (plan.times().isEmpty()) {
                later(wanted);
                return;
            }
            writer.command(log, new PlanSchedule(wanted.name(), wanted.generation(), wanted.from(), plan), failure -> {
                if (failure != null)
                    LOG.warn(
                            "The plan of schedule '{}' could not be appended ({}); trying again with the next record.",
                            wanted.name(),
                            failure.toString());
            });
        } catch (UnreadableExpression unreadable) {
            later(wanted);
            LOG.error(
                    "Schedule '{}' is not planned any more: {} The time zone database of this processor is {}. Looking"
                            + " again in {} minutes.",
                    wanted.name(),
                    unreadable.reason(),
                    tzdata,
                    HOPELESS.toMinutes());
        }
    }

    private void later(WantedPlan wanted) {
        sent.put(wanted.name(), new Sent(wanted.planEnd(), clock.instant().plus(HOPELESS)));
    }
}
