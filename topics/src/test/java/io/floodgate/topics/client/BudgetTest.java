package io.floodgate.topics.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.topics.PartitionId;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BudgetTest {
    private static final PartitionId DEAD = log(0);
    private static final PartitionId OTHER = log(1);

    private static PartitionId log(int partition) {
        return new PartitionId(partition);
    }

    private static long takesAll(Budget budget, PartitionId log) {
        while (budget.take(log, null, 1)) {}
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
        assertThat(budget.take(log(9), null, 1)).isTrue();
    }

    @Test
    void what_is_given_back_can_be_taken_again() {
        Budget budget = Budget.shared(10);
        takesAll(budget, DEAD);
        assertThat(budget.take(DEAD, null, 1)).isFalse();
        budget.giveBack(DEAD, null, 2);
        assertThat(budget.take(DEAD, null, 2)).isTrue();
        budget.giveBack(DEAD, null, 5);
        assertThat(budget.taken(DEAD)).isZero();
    }

    @Test
    void a_piece_that_is_larger_than_half_never_fits() {
        assertThat(Budget.shared(10).take(DEAD, null, 6)).isFalse();
        assertThat(Budget.shared(10).take(DEAD, null, 5)).isTrue();
    }

    @Test
    void some_rooms_have_a_bound_for_each_log_or_none_at_all() {
        Budget budget = Budget.perLog(3);
        assertThat(takesAll(budget, DEAD)).isEqualTo(3);
        assertThat(takesAll(budget, OTHER)).isEqualTo(3);
        assertThat(Budget.unlimited().take(DEAD, null, 1_000_000_000L)).isTrue();
    }

    @Test
    void no_source_takes_more_of_a_log_than_it_leaves_for_others() {
        Budget budget = Budget.shared(1_000);
        int flood = 0;
        while (budget.take(DEAD, "flood", 1)) flood++;
        assertThat(flood).isEqualTo(250);

        int other = 0;
        while (budget.take(DEAD, "other", 1)) other++;
        assertThat(other).isEqualTo(125);
    }

    @Test
    void a_source_that_takes_all_it_can_of_all_logs_leaves_room_in_each() {
        Budget budget = Budget.shared(100_000);
        for (int i = 0; i < 8; i++) while (budget.take(log(i), "flood", 10)) {}
        for (int i = 0; i < 8; i++) while (budget.take(log(i), "another", 10)) {}
        for (int i = 0; i < 8; i++)
            assertThat(budget.take(log(i), "other", 100)).isTrue();
    }

    @Test
    void what_a_source_gives_back_it_can_take_again() {
        Budget budget = Budget.shared(100);
        while (budget.take(DEAD, "flood", 1)) {}
        budget.giveBack(DEAD, "flood", 10);
        assertThat(budget.take(DEAD, "flood", 10)).isTrue();
        assertThat(budget.take(DEAD, "flood", 1)).isFalse();
    }
}
