package io.floodgate.topics.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.topics.PartitionId;
import io.floodgate.topics.command.PartitionCommand.Withdraw;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class WithdrawalsTest {
    private static final PartitionId LOG = new PartitionId(0);
    private static final PartitionId OTHER = new PartitionId(1);

    private record Appended(PartitionId log, Withdraw command, Consumer<@Nullable Exception> done) {
        void succeeds() {
            done.accept(null);
        }

        void fails() {
            done.accept(new TimeoutException("on purpose"));
        }
    }

    private static final class Topic implements Withdrawals.Appender {
        private final List<Appended> appended = new ArrayList<>();
        private final Deque<Runnable> later = new ArrayDeque<>();

        @Override
        public void append(PartitionId log, Withdraw command, Consumer<@Nullable Exception> done) {
            appended.add(new Appended(log, command, done));
        }

        @Override
        public void later(Duration delay, Runnable action) {
            if (delay.isZero()) action.run();
            else later.add(action);
        }
    }

    private final Topic topic = new Topic();
    private final Withdrawals withdrawals = new Withdrawals("me", topic);

    private Appended last() {
        return topic.appended.getLast();
    }

    @Test
    void the_first_one_goes_at_once_and_what_comes_meanwhile_goes_together() {
        LongStream.range(1, 5).forEach(number -> withdrawals.add(LOG, number));
        assertThat(topic.appended).hasSize(1);
        assertThat(last().command()).isEqualTo(new Withdraw("me", List.of(1L)));
        last().succeeds();
        assertThat(last().command()).isEqualTo(new Withdraw("me", List.of(2L, 3L, 4L)));
        last().succeeds();
        assertThat(topic.appended).hasSize(2);
        withdrawals.add(LOG, 5);
        assertThat(last().command().correlations()).containsExactly(5L);
    }

    @Test
    void logs_do_not_wait_for_each_other() {
        withdrawals.add(LOG, 1);
        withdrawals.add(OTHER, 2);
        assertThat(last().log()).isEqualTo(OTHER);
    }

    @Test
    void what_was_not_appended_is_tried_again_after_a_pause_with_what_has_come() {
        withdrawals.add(LOG, 1);
        withdrawals.add(LOG, 2);
        last().fails();
        assertThat(topic.appended).hasSize(1);
        topic.later.remove().run();
        assertThat(last().command().correlations()).containsExactly(1L, 2L);
    }

    @Test
    void a_log_that_takes_nothing_costs_no_more_than_so_much() {
        // given
        withdrawals.add(LOG, 0);
        LongStream.range(1, 3L * Withdrawals.MOST_WAITING).forEach(number -> withdrawals.add(LOG, number));
        assertThat(withdrawals.dropped()).isEqualTo(2L * Withdrawals.MOST_WAITING - 1);
        // when
        for (int i = 0; i < Withdrawals.MOST_TRIES; i++) {
            last().fails();
            topic.later.remove().run();
        }
        assertThat(last().command().correlations()).hasSize(Withdrawals.MOST_AT_ONCE);
        long dropped = withdrawals.dropped();
        last().fails();
        // then: the oldest are left to their time limits, later ones are still tried
        assertThat(withdrawals.dropped()).isEqualTo(dropped + Withdrawals.MOST_AT_ONCE);
        topic.later.remove().run();
        last().succeeds();
        assertThat(withdrawals.dropped()).isEqualTo(dropped + Withdrawals.MOST_AT_ONCE);
    }

    @Test
    void what_is_collected_while_closing_is_appended_in_the_end() {
        withdrawals.add(LOG, 1);
        withdrawals.hold();
        LongStream.range(2, 4).forEach(number -> withdrawals.add(LOG, number));
        withdrawals.add(OTHER, 9);
        assertThat(topic.appended).hasSize(1);
        withdrawals.flush();
        assertThat(topic.appended.stream().map(Appended::command))
                .contains(new Withdraw("me", List.of(2L, 3L)), new Withdraw("me", List.of(9L)));
    }
}
