package io.floodgate.processor.simulation;

import io.floodgate.processor.testing.MutedLogs;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The state after a record, and all it causes, depend on the records before it and on nothing else. */
@Tag("search")
class ReplayTest {
    private final MutedLogs muted = MutedLogs.of("io.floodgate.processor");

    @AfterEach
    void unmute() {
        muted.close();
    }

    @Test
    void a_log_replayed_comes_to_the_same_state_by_the_same_replies() {
        Seeds.run(20, Replays::twice);
    }

    @Test
    void nothing_that_matters_is_in_memory_only() {
        Seeds.run(20, Replays::withoutMemory);
    }

    @Test
    void a_log_may_be_cut_at_any_point() {
        Seeds.run(4, Replays::cutEverywhere);
    }
}
