package io.floodgate.verification.schedules;

import io.floodgate.verification.schedules.ScheduleCourse.JobStep;
import io.floodgate.verification.schedules.ScheduleCourse.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Judges a schedule that is due every second from outside: by its events and those of its jobs. */
final class OccurrenceJudge {
    private static final Set<String> ENDS = Set.of("completed", "cancelled", "discarded");

    private OccurrenceJudge() {}

    /** Each second between registration and pause has exactly one outcome. */
    static List<String> outcomes(ScheduleCourse course) {
        TreeMap<Instant, Integer> seen = new TreeMap<>();
        for (Outcome outcome : course.outcomes())
            for (int i = 0; i < Math.max(1, outcome.count()); i++)
                seen.merge(outcome.occurrence().minusSeconds(i), 1, Integer::sum);
        List<String> broken = new ArrayList<>();
        Instant first = course.registered().truncatedTo(ChronoUnit.SECONDS).plusSeconds(1);
        for (Instant at = first; !at.isAfter(course.paused()); at = at.plusSeconds(1)) {
            Integer times = seen.remove(at);
            if (times == null) broken.add("%s: the occurrence of %s has no outcome".formatted(course.name(), at));
            else if (times > 1)
                broken.add("%s: the occurrence of %s has %d outcomes".formatted(course.name(), at, times));
        }
        seen.keySet().forEach(at -> broken.add("%s: it was not due at %s".formatted(course.name(), at)));
        return broken;
    }

    /** No job belongs to two occurrences, and each job that its queue had belongs to one. */
    static List<String> runs(ScheduleCourse course) {
        List<String> broken = new ArrayList<>();
        Set<String> triggered = new TreeSet<>();
        for (Outcome outcome : course.outcomes()) {
            String job = outcome.job();
            if (job != null && !triggered.add(job))
                broken.add("%s: job %s is run for two occurrences".formatted(course.name(), job));
        }
        Set<String> there = new TreeSet<>();
        course.steps().forEach(step -> there.add(step.job()));
        for (String job : there)
            if (!triggered.contains(job)) broken.add("%s: no occurrence has made job %s".formatted(course.name(), job));
        for (String job : triggered)
            if (!there.contains(job)) broken.add("%s: job %s was never in its queue".formatted(course.name(), job));
        return broken;
    }

    /** No outcome comes later than this after its occurrence. */
    static List<String> lateness(ScheduleCourse course, Duration most) {
        return course.outcomes().stream()
                .filter(outcome -> outcome.lateness().compareTo(most) > 0)
                .map(outcome -> "%s: what was due at %s was decided at %s"
                        .formatted(course.name(), outcome.decided().minus(outcome.lateness()), outcome.decided()))
                .toList();
    }

    /** Unless they may overlap, a run begins after the one before has ended. */
    static List<String> overlaps(ScheduleCourse course) {
        if (course.overlaps()) return List.of();
        List<String> broken = new ArrayList<>();
        Set<String> unfinished = new TreeSet<>();
        Set<String> ended = new HashSet<>();
        for (JobStep step : course.steps()) {
            if (ENDS.contains(step.state())) {
                unfinished.remove(step.job());
                ended.add(step.job());
            } else if (!ended.contains(step.job()) && unfinished.add(step.job()) && unfinished.size() > 1) {
                broken.add("%s: these runs were unfinished at the same time: %s".formatted(course.name(), unfinished));
            }
        }
        return broken;
    }
}
