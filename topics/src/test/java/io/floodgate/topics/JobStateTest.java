package io.floodgate.topics;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.topics.retry.Backoff;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class JobStateTest {
    @Test
    void there_are_eight_in_the_order_in_which_they_are_stored() {
        assertThat(Arrays.stream(JobState.values()).map(JobState::wire))
                .containsExactly(
                        "scheduled",
                        "available",
                        "pending",
                        "active",
                        "retryable",
                        "completed",
                        "cancelled",
                        "discarded");
    }

    @Test
    void each_is_read_as_it_is_written() {
        for (JobState state : JobState.values())
            assertThat(JobState.parse(state.wire())).contains(state);
        assertThat(JobState.parse("ACTIVE")).isEmpty();
        assertThat(JobState.parse("")).isEmpty();
    }

    @Test
    void three_are_the_end() {
        assertThat(Arrays.stream(JobState.values()).filter(JobState::isTerminal))
                .containsExactly(JobState.COMPLETED, JobState.CANCELLED, JobState.DISCARDED);
    }

    @Test
    void the_ways_delays_grow_are_stored_by_their_order_too() {
        assertThat(Arrays.stream(Backoff.values()).map(Backoff::wire))
                .containsExactly("constant", "linear", "exponential", "polynomial");
    }
}
