package io.floodgate.processor.cron;

import io.floodgate.processor.store.KeyValues;
import io.floodgate.processor.store.Section;
import io.floodgate.processor.store.StoredForm;
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
record ScheduleHistory(KeyValues entities) {
    /** The most that are kept of a schedule. */
    static final int KEPT = 50;

    private static final Section OUTCOMES = Section.of("schedule-outcome");

    private record Numbered(long number, OccurrenceOutcome outcome) {
        private static final StoredForm<Numbered> STORED =
                new StoredForm<>(Numbered.class, 1, "an outcome of a schedule");
    }

    /** Returns the key of an outcome; no name of a schedule has a colon. */
    private static byte[] key(String name, long number) {
        return OUTCOMES.key(name + ":" + number % KEPT);
    }

    /** @return the number of the outcome, from one on */
    long add(String name, ScheduleState state, OccurrenceOutcome outcome) {
        put(name, ++state.outcomes, outcome);
        return state.outcomes;
    }

    private void put(String name, long number, OccurrenceOutcome outcome) {
        entities.put(key(name, number), Numbered.STORED.write(new Numbered(number, outcome)));
    }

    /** The job of a run has ended. Nothing happens if its outcome is not kept any more. */
    void ended(String name, ScheduleState state, JobId job, JobState as, Instant now) {
        ScheduledRun run = state.find(job);
        if (run == null) return;
        OccurrenceOutcome outcome = find(name, run.outcome());
        if (outcome != null) put(name, run.outcome(), outcome.ended(as, now));
    }

    private @Nullable OccurrenceOutcome find(String name, long number) {
        byte[] stored = entities.get(key(name, number));
        if (stored == null) return null;
        Numbered read = Numbered.STORED.read(stored);
        return read.number == number ? read.outcome : null;
    }

    /** The oldest first. */
    List<OccurrenceOutcome> all(String name, ScheduleState state) {
        List<OccurrenceOutcome> outcomes = new ArrayList<>();
        for (long number = Math.max(1, state.outcomes - KEPT + 1); number <= state.outcomes; number++) {
            OccurrenceOutcome outcome = find(name, number);
            if (outcome != null) outcomes.add(outcome);
        }
        return outcomes;
    }

    void remove(String name, ScheduleState state) {
        long kept = Math.min(KEPT, state.outcomes);
        for (long slot = 0; slot < kept; slot++) entities.delete(key(name, state.outcomes - slot));
    }
}
