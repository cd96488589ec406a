package io.floodgate.processor.cron;

import io.floodgate.topics.command.CronCommand.PlanSchedule;
import io.floodgate.topics.cron.SchedulePlan;
import io.floodgate.topics.cron.SchedulePlan.PlannedGap;
import io.floodgate.topics.cron.ScheduleSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;

/**
 * The times at which schedules are due. A plan is taken only if it goes on where the last one ends, or was made with a
 * newer time zone database: two planners do no harm, and an older one changes nothing.
 */
record SchedulePlans(ScheduleStore store) {
    private static final int LEAST = 10;
    private static final Duration LEAST_AHEAD = Duration.ofMinutes(5);

    /** Begins a plan: all times before are void. */
    void begin(String name, ScheduleState state, SchedulePlan plan) {
        state.planEnd = plan.times().isEmpty() ? state.consumed : plan.times().getLast();
        state.tzdata = plan.tzdata();
        store.put(name, plan);
    }

    boolean take(PlanSchedule command, ScheduleState state) {
        SchedulePlan plan = command.plan();
        // mutant: plan-generation
        if (command.generation() != state.generation) return false;
        if (plan.times().isEmpty()) return false;
        boolean isNewer = plan.tzdata().compareTo(state.tzdata) > 0;
        if (!isNewer && (!command.from().equals(state.planEnd) || plan.tzdata().compareTo(state.tzdata) < 0))
            return false;
        SchedulePlan before = isNewer ? SchedulePlan.NONE : store.plan(command.name());
        List<Instant> times = new ArrayList<>();
        for (Instant time : before.times()) if (time.isAfter(state.consumed)) times.add(time);
        for (Instant time : plan.times()) if (time.isAfter(state.consumed) && isLater(time, times)) times.add(time);
        List<PlannedGap> gaps = new ArrayList<>();
        for (PlannedGap gap : before.gaps()) if (gap.at().isAfter(state.consumed)) gaps.add(gap);
        for (PlannedGap gap : plan.gaps()) if (gap.at().isAfter(state.consumed)) gaps.add(gap);
        if (times.size() > SchedulePlan.MOST) times = times.subList(0, SchedulePlan.MOST);
        if (gaps.size() > SchedulePlan.MOST) gaps = gaps.subList(0, SchedulePlan.MOST);
        store.put(command.name(), new SchedulePlan(times, gaps, plan.tzdata()));
        state.planEnd = times.isEmpty() ? plan.times().getLast() : times.getLast();
        state.tzdata = plan.tzdata();
        return true;
    }

    private static boolean isLater(Instant time, List<Instant> times) {
        return times.isEmpty() || time.isAfter(times.getLast());
    }

    /** Decides whether more times are wanted, after the due ones were looked at. */
    void count(ScheduleSpec spec, ScheduleState state, Occurrences found, Instant now) {
        boolean isShort = found.left() < LEAST || state.planEnd.isBefore(now.plus(LEAST_AHEAD));
        state.wantsPlan = spec.every() == null && state.enabled && isShort;
    }

    /** @param unless those are left out, by their names and the last time that is known of them */
    List<WantedPlan> wanted(String tzdata, int most, BiPredicate<String, Instant> unless) {
        List<WantedPlan> wanted = new ArrayList<>();
        for (String name : store.wanting(tzdata)) {
            if (wanted.size() == most) break;
            ScheduleStore.Known known = store.known(name);
            if (known == null || unless.test(name, known.planEnd())) continue;
            ScheduleState state = store.state(name);
            if (state == null) continue;
            ScheduleSpec spec = store.spec(name);
            Instant from = known.isOlderThan(tzdata) ? state.consumed : state.planEnd;
            wanted.add(new WantedPlan(name, state.generation, from, state.planEnd, spec.expression(), spec.timezone()));
        }
        return wanted;
    }
}
