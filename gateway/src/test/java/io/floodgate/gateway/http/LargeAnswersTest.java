package io.floodgate.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.gateway.http.LargeAnswers.Turn;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class LargeAnswersTest {
    private static final int TURNS = Math.max(1, Runtime.getRuntime().availableProcessors() - 1);

    @Test
    void only_so_many_have_a_turn_at_a_time() throws Exception {
        assertThat(mostAtATime()).isBetween(1, TURNS);
    }

    private static int mostAtATime() throws InterruptedException {
        AtomicInteger atOnce = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 20 * TURNS; i++)
            threads.add(Thread.startVirtualThread(() -> {
                Turn turn = LargeAnswers.turn();
                most.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
                atOnce.decrementAndGet();
                turn.close();
            }));
        for (Thread thread : threads) thread.join();
        return most.get();
    }

    @Test
    void a_client_that_does_not_come_to_an_end_keeps_no_client_waiting() {
        List<Turn> never = new ArrayList<>();
        for (int i = 0; i < 3 * TURNS; i++) never.add(LargeAnswers.turn());
        assertThat(never).hasSize(3 * TURNS);
    }

    @Test
    void a_turn_that_has_ended_by_itself_does_not_end_another_ones() throws Exception {
        Turn slow = LargeAnswers.turn();
        // Its turn is over once others have had {@code TURNS} turns.
        for (int i = 0; i < TURNS; i++) LargeAnswers.turn().close();
        slow.close();
        assertThat(mostAtATime()).isBetween(1, TURNS);
    }

    @Test
    void small_answers_need_none() {
        assertThat(LargeAnswers.isLarge(1_000)).isFalse();
        assertThat(LargeAnswers.isLarge(1_000_000)).isTrue();
    }
}
