package io.floodgate.topics.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DeadlinesTest {
    private final Deadlines deadlines = new Deadlines();

    @Test
    void what_is_due_is_found_at_most_a_slice_late_and_once() {
        long look = deadlines.add(1, 100);
        assertThat(look).isBetween(100L, 100 + Deadlines.SLICE);
        assertThat(deadlines.next()).isEqualTo(look);
        assertThat(deadlines.due(99)).isEmpty();
        assertThat(deadlines.due(look)).containsExactly(1L);
        assertThat(deadlines.due(look)).isEmpty();
        assertThat(deadlines.next()).isEqualTo(DeadlineTimer.NEVER);
    }

    @Test
    void others_are_left_alone() {
        deadlines.add(1, 0);
        deadlines.add(2, 10 * Deadlines.SLICE);
        deadlines.add(3, 10 * Deadlines.SLICE);
        assertThat(deadlines.due(Deadlines.SLICE)).containsExactly(1L);
        deadlines.remove(2, 10 * Deadlines.SLICE);
        assertThat(deadlines.due(11 * Deadlines.SLICE)).containsExactly(3L);
    }

    @Test
    void nothing_is_kept_of_what_was_removed() {
        for (long number = 0; number < 1_000; number++) {
            deadlines.add(number, number * 1_000_000);
            deadlines.remove(number, number * 1_000_000);
            deadlines.remove(number, number * 1_000_000);
        }
        assertThat(deadlines.next()).isEqualTo(DeadlineTimer.NEVER);
    }
}
