package io.floodgate.topics.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LateRepliesTest {
    private final LateReplies late = new LateReplies();

    private void add(long correlation, long now) {
        late.add(correlation, reply -> {}, now);
    }

    @Test
    void each_is_taken_once() {
        add(1, 0);
        assertThat(late.take(1)).isNotNull();
        assertThat(late.take(1)).isNull();
    }

    @Test
    void what_has_not_come_for_a_while_is_not_waited_for_any_more() {
        add(1, 0);
        add(2, 10);
        add(3, LateReplies.KEPT + 5);
        assertThat(late.take(1)).isNull();
        assertThat(late.take(2)).isNotNull();
        assertThat(late.take(3)).isNotNull();
    }

    @Test
    void an_hour_at_10_000_a_second_leaves_no_more_than_the_latest() {
        for (long i = 0; i < 3_600L * 1_000; i++) add(i, i * 1_000_000);
        assertThat(late.size()).isEqualTo(LateReplies.MOST);
        assertThat(late.take(3_599_999)).isNotNull();
    }
}
