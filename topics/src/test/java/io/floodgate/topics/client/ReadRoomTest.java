package io.floodgate.topics.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.topics.LogId;
import org.junit.jupiter.api.Test;

class ReadRoomTest {
    private static final LogId LOG = new LogId("ojs.commands", 0);
    private static final LogId OTHER = new LogId("ojs.commands", 1);

    private final ReadRoom room = new ReadRoom(1_000);

    @Test
    void small_answers_may_be_many() {
        answered(LOG, 1);
        for (int i = 0; i < 1_000; i++) assertThat(room.take(LOG)).isTrue();
        assertThat(room.take(LOG)).isFalse();
    }

    @Test
    void large_ones_are_few_and_hold_up_no_other_log() {
        answered(LOG, 400);
        assertThat(room.take(LOG)).isTrue();
        assertThat(room.take(LOG)).isTrue();
        assertThat(room.take(LOG)).isFalse();
        assertThat(room.take(OTHER)).isTrue();
        room.giveBack(LOG, 400);
        assertThat(room.take(LOG)).isTrue();
    }

    @Test
    void one_is_never_too_large() {
        answered(LOG, 5_000);
        assertThat(room.take(LOG)).isTrue();
        assertThat(room.take(LOG)).isFalse();
    }

    @Test
    void what_was_large_is_forgotten_in_time() {
        answered(LOG, 1_000);
        for (int i = 0; i < 50; i++) answered(LOG, 10);
        for (int i = 0; i < 20; i++) assertThat(room.take(LOG)).isTrue();
        assertThat(room.take(LOG)).isTrue();
    }

    @Test
    void what_was_not_answered_says_nothing_about_sizes() {
        answered(LOG, 400);
        answered(LOG, -1);
        assertThat(room.take(LOG)).isTrue();
        assertThat(room.take(LOG)).isTrue();
        assertThat(room.take(LOG)).isFalse();
    }

    private void answered(LogId log, int bytes) {
        assertThat(room.take(log)).isTrue();
        room.giveBack(log, bytes);
    }
}
