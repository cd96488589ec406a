package io.floodgate.processor.cron;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.store.KeyValues;
import io.floodgate.processor.store.MemoryKeyValues;
import io.floodgate.topics.JobId;
import io.floodgate.topics.JobState;
import io.floodgate.topics.Slot;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScheduleHistoryTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final String NAME = "nightly";

    private final MemoryKeyValues entities = new MemoryKeyValues();
    private final ScheduleHistory history = new ScheduleHistory(entities);
    private ScheduleState state = new ScheduleState(NOON);

    private static JobId job(long number) {
        return JobId.make(Slot.of("q"), NOON.toEpochMilli(), number);
    }

    private static OccurrenceOutcome triggered(long number) {
        return OccurrenceOutcome.triggered(new ScheduledRun(job(number), NOON.plusSeconds(number), false, null), NOON);
    }

    /** What is in memory is stored and read again, as between two steps. */
    private void isStored() {
        state = ScheduleState.STORED.read(ScheduleState.STORED.write(state));
    }

    private void runs(long first, long last) {
        for (long number = first; number <= last; number++) {
            ScheduledRun run = new ScheduledRun(job(number), NOON.plusSeconds(number), false, null);
            state.unfinished.add(run);
            state.replace(run, run.placedNow(history.add(NAME, state, triggered(number))));
            isStored();
        }
    }

    private List<Long> seconds() {
        List<Long> seconds = new ArrayList<>();
        for (OccurrenceOutcome each : history.all(NAME, state))
            seconds.add(each.occurrence().getEpochSecond() - NOON.getEpochSecond());
        return seconds;
    }

    private static int entries(KeyValues stored) {
        int[] entries = {0};
        stored.scan(new byte[0], new byte[] {(byte) 0xFF}, (key, value) -> ++entries[0] > 0);
        return entries[0];
    }

    @Test
    void theLastFiftyAreKeptInOrder() {
        runs(1, 123);
        assertThat(seconds()).hasSize(50).isSorted().startsWith(74L).endsWith(123L);
        assertThat(entries(entities)).isEqualTo(50);
    }

    @Test
    void theOutcomeOfAJobThatHasEndedSaysSo() {
        runs(1, 3);
        history.ended(NAME, state, job(2), JobState.COMPLETED, NOON.plusSeconds(60));
        List<OccurrenceOutcome> all = history.all(NAME, state);
        assertThat(all.get(1).state()).isEqualTo(JobState.COMPLETED);
        assertThat(all.get(1).endedAt()).isEqualTo(NOON.plusSeconds(60));
        assertThat(all.get(0).state()).isNull();
        assertThat(all.get(2).state()).isNull();
    }

    @Test
    void aJobThatEndsLateDoesNotTouchTheOutcomeThatHasReplacedItsOwn() {
        runs(1, 51);
        history.ended(NAME, state, job(1), JobState.COMPLETED, NOON.plusSeconds(60));
        assertThat(seconds()).startsWith(2L).endsWith(51L);
        assertThat(history.all(NAME, state))
                .allSatisfy(each -> assertThat(each.state()).isNull());
    }

    @Test
    void nothingRemainsOfAScheduleThatIsRemoved() {
        runs(1, 73);
        history.remove(NAME, state);
        assertThat(entries(entities)).isZero();
    }
}
