package io.floodgate.processor.cron;

import io.floodgate.processor.own.OwnJobs;
import io.floodgate.topics.cron.SchedulePlan;
import io.floodgate.topics.cron.SchedulePlan.PlannedGap;
import io.floodgate.topics.cron.ScheduleSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The occurrences of a schedule that are due by now, and the time at which it is looked at again.
 *
 * @param due the oldest first; of an interval that was missed for long, the last ones
 * @param earlier how many were due before these
 * @param gaps whose time has come
 * @param next the first that is not due yet; null if none is known
 * @param left how many are known that are not due yet
 */
record Occurrences(
        List<Instant> due,
        long earlier,
        List<PlannedGap> gaps,
        @Nullable Instant next,
        @Nullable Instant wake,
        int left) {
    /** The most that are looked at one by one. */
    static final int MOST = 1_000;

    static Occurrences of(String name, ScheduleSpec spec, StoredPlan.Near plan, ScheduleState state, Instant now) {
        Duration every = spec.every();
        return every == null
                ? planned(name, spec, plan.plan(), plan.further(), state, now)
                : every(name, spec, every, state, now);
    }

    /** Returns the time with its jitter: the same time at each replay. */
    static Instant with(Duration jitter, String name, Instant occurrence) {
        if (jitter.isZero()) return occurrence;
        long chance = OwnJobs.mix(name + " " + occurrence.toEpochMilli());
        return occurrence.plusMillis(Math.floorMod(chance, jitter.toMillis() + 1));
    }

    private static Occurrences planned(
            String name, ScheduleSpec spec, SchedulePlan plan, int further, ScheduleState state, Instant now) {
        List<Instant> due = new ArrayList<>();
        Instant next = null;
        Instant wake = null;
        int left = further;
        for (Instant time : plan.times()) {
            Instant at = with(spec.rules().jitter(), name, time);
            if (next == null && !at.isAfter(now)) {
                due.add(time);
                continue;
            }
            if (next == null) {
                next = time;
                wake = at;
            }
            left++;
        }
        List<PlannedGap> gaps = new ArrayList<>();
        for (PlannedGap gap : plan.gaps()) {
            if (!gap.at().isAfter(state.consumed)) continue;
            if (!gap.at().isAfter(now)) gaps.add(gap);
            else if (wake == null || gap.at().isBefore(wake)) wake = gap.at();
        }
        return new Occurrences(due, 0, gaps, next, wake, left);
    }

    private static Occurrences every(String name, ScheduleSpec spec, Duration every, ScheduleState state, Instant now) {
        long step = every.toMillis();
        long anchor = state.anchor.toEpochMilli();
        long first = Math.max(1, Math.floorDiv(state.consumed.toEpochMilli() - anchor, step) + 1);
        long last = Math.floorDiv(now.toEpochMilli() - anchor, step);
        Duration jitter = spec.rules().jitter();
        while (last >= first
                && with(jitter, name, Instant.ofEpochMilli(anchor + last * step))
                        .isAfter(now)) last--;
        List<Instant> due = new ArrayList<>();
        long from = Math.max(first, last - MOST + 1);
        for (long n = from; n <= last; n++) due.add(Instant.ofEpochMilli(anchor + n * step));
        Instant next = Instant.ofEpochMilli(anchor + Math.max(first, last + 1) * step);
        return new Occurrences(due, Math.max(0, from - first), List.of(), next, with(jitter, name, next), 1);
    }
}
