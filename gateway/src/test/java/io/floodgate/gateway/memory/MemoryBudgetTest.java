package io.floodgate.gateway.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.topics.Topics;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class MemoryBudgetTest {
    private static final int KIB = 1024;

    private final MemoryBudget budget = new MemoryBudget(1_000 * KIB);

    @Test
    void is_taken_and_given_back() {
        MemoryBudget.Share share = budget.share();
        assertThat(share.growTo(600 * KIB)).isTrue();
        assertThat(budget.taken()).isEqualTo(600 * KIB);

        share.close();
        share.close();

        assertThat(budget.taken()).isZero();
    }

    @Test
    void lets_in_what_fits_and_nothing_more() {
        assertThat(budget.share().growTo(600 * KIB)).isTrue();
        MemoryBudget.Share second = budget.share();
        assertThat(second.growTo(401 * KIB)).isFalse();
        assertThat(budget.taken()).isEqualTo(600 * KIB);
        assertThat(second.growTo(400 * KIB)).isTrue();

        assertThat(budget.share().growTo(100 * KIB)).isFalse();
    }

    @Test
    void has_room_again_after_one_was_given_back() {
        MemoryBudget.Share first = budget.share();
        MemoryBudget.Share second = budget.share();
        first.growTo(600 * KIB);
        assertThat(second.growTo(600 * KIB)).isFalse();

        first.close();

        assertThat(second.growTo(600 * KIB)).isTrue();
    }

    @Test
    void counts_a_growing_body_once() {
        MemoryBudget.Share share = budget.share();

        for (int size = 100 * KIB; size <= 900 * KIB; size += 100 * KIB)
            assertThat(share.growTo(size)).isTrue();

        assertThat(budget.taken()).isEqualTo(900 * KIB);
    }

    @Test
    void keeps_what_a_body_has_when_it_may_not_grow() {
        budget.share().growTo(500 * KIB);
        MemoryBudget.Share share = budget.share();
        share.growTo(400 * KIB);
        assertThat(share.growTo(600 * KIB)).isFalse();
        assertThat(budget.taken()).isEqualTo(900 * KIB);

        share.close();

        assertThat(budget.taken()).isEqualTo(500 * KIB);
    }

    @Test
    void lets_in_a_body_of_any_size_when_there_is_no_other() {
        MemoryBudget.Share share = budget.share();
        assertThat(share.growTo(900 * KIB)).isTrue();
        assertThat(share.growTo(5_000 * KIB)).isTrue();
        assertThat(budget.share().growTo(100 * KIB)).isFalse();

        share.close();

        assertThat(budget.taken()).isZero();
    }

    @Test
    void does_not_count_small_bodies() {
        budget.share().growTo(5_000 * KIB);

        assertThat(budget.share().growTo(MemoryBudget.UNCOUNTED)).isTrue();
        assertThat(budget.taken()).isEqualTo(5_000 * KIB);
    }

    @Test
    void counts_what_must_be_let_in_without_refusing_it() {
        MemoryBudget.Share first = budget.share();
        first.growTo(900 * KIB);
        MemoryBudget.Share urgent = budget.share();

        urgent.growAnyway(300 * KIB);
        urgent.growAnyway(500 * KIB);

        assertThat(budget.taken()).isEqualTo(1_400 * KIB);
        first.close();
        assertThat(budget.share().growTo(600 * KIB)).isFalse();
        urgent.close();
        assertThat(budget.taken()).isZero();
    }

    @Test
    void of_the_heap_has_room_for_the_largest_body() {
        MemoryBudget.Share share = MemoryBudget.ofHeap().share();

        assertThat(share.growTo(Topics.MAX_RECORD_BYTES)).isTrue();
    }

    @Test
    void is_neither_exceeded_nor_lost_by_many_threads() throws InterruptedException {
        AtomicBoolean wrong = new AtomicBoolean();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            threads.add(Thread.ofPlatform().start(() -> {
                for (int round = 0; round < 20_000; round++) {
                    try (MemoryBudget.Share share = budget.share()) {
                        if (share.growTo(200 * KIB) && !share.growTo(300 * KIB)) Thread.onSpinWait();
                        long taken = budget.taken();
                        if (taken < 0 || taken > 1_000 * KIB) wrong.set(true);
                    }
                }
            }));
        }
        for (Thread thread : threads) thread.join();

        assertThat(wrong).isFalse();
        assertThat(budget.taken()).isZero();
    }
}
