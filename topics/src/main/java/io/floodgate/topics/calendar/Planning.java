package io.floodgate.topics.calendar;

import io.floodgate.topics.calendar.CronCalendar.Due;
import io.floodgate.topics.cron.SchedulePlan;
import io.floodgate.topics.cron.SchedulePlan.PlannedGap;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Makes plans for the state machine, which has no calendar. */
public final class Planning {
    private Planning() {}

    /** Returns the times that are due after this one. */
    public static SchedulePlan plan(Timing timing, Instant from) {
        if (timing.calendar() == null) return SchedulePlan.NONE;
        List<Instant> times = new ArrayList<>();
        List<PlannedGap> gaps = new ArrayList<>();
        for (Due due : timing.after(from, SchedulePlan.MOST)) {
            if (!due.isGap()) times.add(due.at());
            else if (gaps.size() < SchedulePlan.MOST) gaps.add(new PlannedGap(due.at(), due.skipped()));
        }
        return new SchedulePlan(times, gaps, CalendarZones.version());
    }
}
