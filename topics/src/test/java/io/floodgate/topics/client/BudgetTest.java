package io.floodgate.topics.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.topics.LogId;
import io.floodgate.topics.Topics;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BudgetTest {
    private static final LogId DEAD = log(0);
    private static final LogId OTHER = log(1);

    private static LogId log(int partition) {
        return new LogId(Topics.COMMANDS, partition);
    }

    private static long takesAll(Budget budget, LogId log) {
        while (budget.take(log, 1)) {}
        return budget.taken(log);
    }

    @Test
    void one_log_alone_takes_half_and_leaves_half() {
        Budget budget = Budget.shared(100);
        assertThat(takesAll(budget, DEAD)).isEqualTo(50);
        assertThat(takesAll(budget, OTHER)).isEqualTo(25);
    }

    @Test
    void however_many_take_and_never_give_back_something_is_left_for_one_more() {
        Budget budget = Budget.shared(1_000);
        IntStream.range(0, 9).forEach(i -> takesAll(budget, log(i)));
        assertThat(budget.take(log(9), 1)).isTrue();
    }

    @Test
    void what_is_given_back_can_be_taken_again() {
        Budget budget = Budget.shared(10);
        takesAll(budget, DEAD);
        assertThat(budget.take(DEAD, 1)).isFalse();
        budget.giveBack(DEAD, 2);
        assertThat(budget.take(DEAD, 2)).isTrue();
        budget.giveBack(DEAD, 5);
        assertThat(budget.taken(DEAD)).isZero();
    }

    @Test
    void a_piece_that_is_larger_than_half_never_fits() {
        assertThat(Budget.shared(10).take(DEAD, 6)).isFalse();
        assertThat(Budget.shared(10).take(DEAD, 5)).isTrue();
    }

    @Test
    void some_rooms_have_a_bound_for_each_log_or_none_at_all() {
        Budget budget = Budget.perLog(3);
        assertThat(takesAll(budget, DEAD)).isEqualTo(3);
        assertThat(takesAll(budget, OTHER)).isEqualTo(3);
        assertThat(Budget.unlimited().take(DEAD, 1_000_000_000L)).isTrue();
    }
}
