package io.floodgate.processor.cron;

import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import io.floodgate.processor.store.KeyValues;
import io.floodgate.processor.store.Section;
import io.floodgate.topics.JobId;
import io.floodgate.topics.JobState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The last outcomes of schedules, each in an entry of its own: a schedule that runs writes this one, reads none, and overwrites
 * the oldest.
 */
final class ScheduleHistory {
    /** The most that are kept of a schedule. */
    static final int KEPT = 50;

    private static final int VERSION = 1;

    private static final Section OUTCOMES = Section.of("schedule-outcome");

    /** All of a schedule in one entry: an earlier release wrote them so. */
    private static final Section IN_ONE = Section.of("schedule-history");

    private final KeyValues entities;

    ScheduleHistory(KeyValues entities) {
        this.entities = entities;
    }

    /** Returns the key of an outcome; no name of a schedule has a colon. */
    private static byte[] key(String name, long number) {
        return OUTCOMES.key(name + ":" + number % KEPT);
    }

    /** @return the number of the outcome, from one on */
    long add(String name, ScheduleState state, OccurrenceOutcome outcome) {
        separate(name, state);
        put(name, ++state.outcomes, outcome);
        return state.outcomes;
    }

    private void put(String name, long number, OccurrenceOutcome outcome) {
        BinaryOut out = new BinaryOut().u8(VERSION).number(number);
        outcome.write(out);
        entities.put(key(name, number), out.toBytes());
    }

    /** The job of a run has ended. Nothing happens if its outcome is not kept any more. */
    void ended(String name, ScheduleState state, JobId job, JobState as, Instant now) {
        separate(name, state);
        ScheduledRun run = state.find(job);
        if (run == null) return;
        OccurrenceOutcome outcome = find(name, run.outcome());
        if (outcome != null) put(name, run.outcome(), outcome.ended(as, now));
    }

    private @Nullable OccurrenceOutcome find(String name, long number) {
        byte[] stored = entities.get(key(name, number));
        if (stored == null) return null;
        BinaryIn in = new BinaryIn(stored);
        in.version(VERSION, () -> "an outcome of a schedule");
        return in.number() == number ? OccurrenceOutcome.read(in) : null;
    }

    /** The oldest first. */
    List<OccurrenceOutcome> all(String name, ScheduleState state) {
        if (state.hasOldHistory) return inOne(name);
        List<OccurrenceOutcome> outcomes = new ArrayList<>();
        for (long number = Math.max(1, state.outcomes - KEPT + 1); number <= state.outcomes; number++) {
            OccurrenceOutcome outcome = find(name, number);
            if (outcome != null) outcomes.add(outcome);
        }
        return outcomes;
    }

    private List<OccurrenceOutcome> inOne(String name) {
        List<OccurrenceOutcome> outcomes = new ArrayList<>();
        byte[] stored = entities.get(IN_ONE.key(name));
        if (stored == null) return outcomes;
        BinaryIn in = new BinaryIn(stored);
        in.version(VERSION, () -> "the history of a schedule");
        for (int left = in.integer(); left > 0; left--) outcomes.add(OccurrenceOutcome.read(in));
        return outcomes;
    }

    private void separate(String name, ScheduleState state) {
        if (!state.hasOldHistory) return;
        for (OccurrenceOutcome outcome : inOne(name)) {
            long number = ++state.outcomes;
            put(name, number, outcome);
            state.unfinished.replaceAll(run -> run.job().equals(outcome.job()) ? run.numbered(number) : run);
        }
        entities.delete(IN_ONE.key(name));
        state.hasOldHistory = false;
    }

    void remove(String name, ScheduleState state) {
        if (state.hasOldHistory) entities.delete(IN_ONE.key(name));
        long kept = Math.min(KEPT, state.outcomes);
        for (long slot = 0; slot < kept; slot++) entities.delete(key(name, state.outcomes - slot));
    }
}
