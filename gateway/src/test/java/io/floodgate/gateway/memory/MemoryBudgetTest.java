package io.floodgate.gateway.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.gateway.memory.MemoryBudget.MemoryClass;
import io.floodgate.topics.Topics;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class MemoryBudgetTest {
    private static final int KIB = 1024;

    private final MemoryBudget budget = new MemoryBudget(1_000 * KIB);

    private MemoryBudget.Share share() {
        return budget.share(MemoryClass.ORDINARY);
    }

    @Test
    void is_taken_and_given_back() {
        MemoryBudget.Share share = share();
        assertThat(share.growTo(600 * KIB)).isTrue();
        assertThat(budget.taken()).isEqualTo(600 * KIB);

        share.close();
        share.close();

        assertThat(budget.taken()).isZero();
    }

    @Test
    void lets_in_what_fits_and_nothing_more() {
        assertThat(share().growTo(400 * KIB)).isTrue();
        MemoryBudget.Share second = share();
        assertThat(second.growTo(351 * KIB)).isFalse();
        assertThat(budget.taken()).isEqualTo(400 * KIB);
        assertThat(second.growTo(350 * KIB)).isTrue();
    }

    @Test
    void has_room_for_small_ones_when_large_ones_have_taken_theirs() {
        assertThat(share().growTo(700 * KIB)).isTrue();
        assertThat(share().growTo(100 * KIB)).isFalse();

        for (int i = 0; i < 300; i++) assertThat(share().growTo(KIB)).isTrue();
        assertThat(share().growTo(KIB)).isFalse();
    }

    @Test
    void leaves_a_quarter_to_others_than_the_source_that_takes_all_it_can() {
        MemoryBudget.Share flood = share();
        flood.isFrom("flood");
        assertThat(flood.growTo(10 * KIB)).isTrue();
        for (boolean room = true; room; ) {
            MemoryBudget.Share more = share();
            more.isFrom("flood");
            room = more.growTo(10 * KIB);
        }
        assertThat(budget.taken()).isEqualTo(750 * KIB);

        MemoryBudget.Share other = share();
        other.isFrom("other");
        assertThat(other.growTo(60 * KIB)).isTrue();
        other.close();
        flood.close();
        MemoryBudget.Share again = share();
        again.isFrom("flood");
        assertThat(again.growTo(10 * KIB)).isTrue();
    }

    @Test
    void has_a_reserve_for_completions_that_no_other_can_take() {
        MemoryBudget.Share all = share();
        assertThat(all.growTo(5_000 * KIB)).isTrue();
        all.close();
        share().growTo(700 * KIB);
        boolean room = true;
        while (room) room = share().growTo(KIB);
        assertThat(budget.taken()).isEqualTo(1_000 * KIB);

        assertThat(budget.share(MemoryClass.COMPLETION).growTo(400 * KIB)).isTrue();
        assertThat(budget.share(MemoryClass.COMPLETION).growTo(101 * KIB)).isFalse();
        assertThat(budget.share(MemoryClass.COMPLETION).growTo(100 * KIB)).isTrue();
    }

    @Test
    void has_room_again_after_one_was_given_back() {
        MemoryBudget.Share first = share();
        MemoryBudget.Share second = share();
        first.growTo(600 * KIB);
        assertThat(second.growTo(600 * KIB)).isFalse();

        first.close();

        assertThat(second.growTo(600 * KIB)).isTrue();
    }

    @Test
    void counts_a_growing_request_once() {
        MemoryBudget.Share share = share();

        for (int size = 100 * KIB; size <= 700 * KIB; size += 100 * KIB)
            assertThat(share.growTo(size)).isTrue();
        assertThat(share.grow(50 * KIB)).isTrue();

        assertThat(budget.taken()).isEqualTo(750 * KIB);
    }

    @Test
    void keeps_what_a_request_has_when_it_may_not_grow() {
        share().growTo(300 * KIB);
        MemoryBudget.Share share = share();
        share.growTo(400 * KIB);
        assertThat(share.growTo(600 * KIB)).isFalse();
        assertThat(budget.taken()).isEqualTo(700 * KIB);

        share.close();

        assertThat(budget.taken()).isEqualTo(300 * KIB);
    }

    @Test
    void lets_in_a_request_of_any_size_when_there_is_no_other() {
        MemoryBudget.Share share = share();
        assertThat(share.growTo(900 * KIB)).isTrue();
        assertThat(share.growTo(5_000 * KIB)).isTrue();
        assertThat(share().growTo(KIB)).isFalse();

        share.close();

        assertThat(budget.taken()).isZero();
    }

    @Test
    void of_the_heap_has_room_for_the_largest_request_beside_others() {
        MemoryBudget ofHeap = new MemoryBudget(MemoryBudget.ofHeap());
        ofHeap.share(MemoryClass.ORDINARY).growTo(1_000 * KIB);

        assertThat(ofHeap.share(MemoryClass.ORDINARY).growTo(Topics.MAX_RECORD_BYTES))
                .isTrue();
    }

    @Test
    void is_neither_exceeded_nor_lost_by_many_threads() throws InterruptedException {
        AtomicBoolean wrong = new AtomicBoolean();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            threads.add(Thread.ofPlatform().start(() -> {
                for (int round = 0; round < 20_000; round++) {
                    try (MemoryBudget.Share share = share()) {
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
