package io.floodgate.topics.command;

import io.floodgate.topics.PartitionId;
import io.floodgate.topics.Routing;
import io.floodgate.topics.Slot;
import io.floodgate.topics.cron.SchedulePlan;
import io.floodgate.topics.cron.ScheduleSpec;
import io.floodgate.topics.json.Wire;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is asked of a schedule, at the partition that its name leads to; see {@code docs/explanation/cron.md}. */
public sealed interface CronCommand extends Command {
    static PartitionId home(Routing routing, String schedule) {
        return routing.at(Slot.of("cron:" + schedule));
    }

    /**
     * Registers it, or changes it; nothing happens if it is registered like this already.
     *
     * @param enabled null to leave it as it is
     * @param expected the version that is to be changed; null for whatever there is
     * @param plan from now on, should it be new, or due at other times than before
     */
    record PutSchedule(
            @Wire.Matches(ScheduleSpec.NAME) String name,
            ScheduleSpec spec,
            @Nullable Boolean enabled,
            @Nullable Long expected,
            @Wire.Inline SchedulePlan plan)
            implements CronCommand {}

    /**
     * Pauses or resumes it.
     *
     * @param catchUp on resuming, run the last one that was due meanwhile
     * @param plan from now on
     */
    record EnableSchedule(
            @Wire.Matches(ScheduleSpec.NAME) String name,
            boolean enabled,
            boolean catchUp,
            @Wire.Inline SchedulePlan plan)
            implements CronCommand {}

    record DeleteSchedule(@Wire.Matches(ScheduleSpec.NAME) String name) implements CronCommand {}

    /** @param history also what became of its last runs */
    record GetSchedule(@Wire.Matches(ScheduleSpec.NAME) String name, boolean history) implements CronCommand {}

    record ListSchedules(
            @Wire.Least(1) @Wire.Capped(ListSchedules.MAX_LIMIT)
            int limit,

            @Nullable String after) implements CronCommand {
        public static final int MAX_LIMIT = 1_000;
    }

    /**
     * Runs it now.
     *
     * @param force also if an earlier run is not finished
     */
    record TriggerSchedule(@Wire.Matches(ScheduleSpec.NAME) String name, boolean force) implements CronCommand {}

    /** Runs it for these times of the past, the oldest first. */
    record BackfillSchedule(
            @Wire.Matches(ScheduleSpec.NAME) String name,

            @Wire.Name("times_ms") @Wire.Most(BackfillSchedule.MOST)
            List<Instant> times)
            implements CronCommand {
        public static final int MOST = 1_000;

        public BackfillSchedule {
            times = List.copyOf(times);
        }
    }

    /** Removes what this manager has registered in the partition, but for these. */
    record KeepSchedules(
            String manager, @Wire.Most(KeepSchedules.MOST) List<String> kept) implements CronCommand {
        public static final int MOST = 10_000;

        public KeepSchedules {
            kept = List.copyOf(kept);
        }
    }

    /**
     * When a schedule is due from some time on; sent by the processor that has the partition.
     *
     * @param generation of the schedule that it was made for
     * @param from the last time that was known
     */
    record PlanSchedule(
            @Wire.Matches(ScheduleSpec.NAME) String name,
            long generation,
            Instant from,
            @Wire.Inline SchedulePlan plan) implements CronCommand {}
}
