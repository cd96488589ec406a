package io.floodgate.topics.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.topics.LogId;
import org.junit.jupiter.api.Test;

class ReadRoomTest {
    private static final LogId LOG = new LogId("ojs.commands", 0);
    private static final LogId OTHER = new LogId("ojs.commands", 1);

    private final ReadRoom room = new ReadRoom(1_000, 10, Runnable::run);
    private int asked;

    @Test
    void small_answers_may_be_many() {
        answersHad(LOG, 1);
        for (int i = 0; i < 1_000; i++) ask(LOG);
        assertThat(asked).isBetween(990, 1_000);
    }

    @Test
    void large_ones_are_few_and_hold_up_no_other_log() {
        answersHad(LOG, 400);
        for (int i = 0; i < 3; i++) ask(LOG);
        assertThat(asked).isEqualTo(2);
        ask(OTHER);
        assertThat(asked).isEqualTo(3);
    }

    @Test
    void who_waits_is_asked_when_another_is_answered() {
        answersHad(LOG, 400);
        for (int i = 0; i < 4; i++) ask(LOG);
        room.answered(LOG, 400);
        assertThat(asked).isEqualTo(3);
        room.answered(LOG, 100);
        room.answered(LOG, 100);
        assertThat(asked).isEqualTo(4);
    }

    @Test
    void one_is_never_too_large() {
        answersHad(LOG, 5_000);
        ask(LOG);
        ask(LOG);
        assertThat(asked).isEqualTo(1);
        room.answered(LOG, 5_000);
        assertThat(asked).isEqualTo(2);
    }

    @Test
    void what_was_large_is_forgotten_in_time() {
        answersHad(LOG, 1_000);
        answersHad(LOG, 10);
        for (int i = 0; i < 20; i++) ask(LOG);
        assertThat(asked).isEqualTo(20);
    }

    @Test
    void no_answer_says_nothing_about_sizes() {
        answersHad(LOG, 400);
        ask(LOG);
        room.answered(LOG, -1);
        for (int i = 0; i < 3; i++) ask(LOG);
        assertThat(asked).isEqualTo(3);
    }

    @Test
    void only_so_many_wait() {
        answersHad(LOG, 5_000);
        for (int i = 0; i < 11; i++) assertThat(ask(LOG)).isTrue();
        assertThat(ask(LOG)).isFalse();
    }

    private boolean ask(LogId log) {
        return room.ask(log, () -> asked++);
    }

    /** Lately, and for long. */
    private void answersHad(LogId log, int bytes) {
        for (int i = 0; i < 200; i++) {
            assertThat(room.ask(log, () -> {})).isTrue();
            room.answered(log, bytes);
        }
    }
}
