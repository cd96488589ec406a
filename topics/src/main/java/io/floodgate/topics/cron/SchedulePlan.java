package io.floodgate.topics.cron;

import java.time.Instant;
import java.util.List;

/**
 * The next times at which a schedule is due, as a calendar has them: computed outside of the state machine, which only compares
 * times, so that a replay does not depend on the time zone database of its Java.
 *
 * @param times rising
 * @param gaps where clocks are set ahead, and runs have no time
 * @param tzdata the version of the time zone database
 */
public record SchedulePlan(List<Instant> times, List<PlannedGap> gaps, String tzdata) {
    /** Ten minutes of a schedule that is due every second. */
    public static final int MOST = 600;

    public static final SchedulePlan NONE = new SchedulePlan(List.of(), List.of(), "");

    /** @param skipped how many runs have no time */
    public record PlannedGap(Instant at, int skipped) {}

    public SchedulePlan {
        times = List.copyOf(times);
        gaps = List.copyOf(gaps);
    }
}
