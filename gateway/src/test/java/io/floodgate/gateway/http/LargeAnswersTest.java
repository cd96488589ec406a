package io.floodgate.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class LargeAnswersTest {
    private static final int TURNS = Math.max(1, Runtime.getRuntime().availableProcessors() - 1);

    private final CountDownLatch go = new CountDownLatch(1);

    @Test
    void only_so_many_are_put_together_at_a_time() throws Exception {
        Semaphore begun = new Semaphore(0);
        AtomicInteger atOnce = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < TURNS + 3; i++)
            threads.add(Thread.startVirtualThread(() -> LargeAnswers.compose(1_000_000, () -> {
                most.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
                begun.release();
                awaitGo();
                return atOnce.decrementAndGet();
            })));
        begun.acquire(TURNS);

        assertThat(LargeAnswers.compose(1_000, () -> "small")).isEqualTo("small");

        go.countDown();
        for (Thread thread : threads) thread.join();
        assertThat(most).hasValue(TURNS);
    }

    @Test
    void the_turn_of_one_that_fails_is_the_next_ones() throws Exception {
        for (int i = 0; i < TURNS + 1; i++) {
            try {
                LargeAnswers.compose(1_000_000, () -> {
                    throw new IllegalStateException("no answer");
                });
            } catch (IllegalStateException expected) {
                assertThat(expected).hasMessage("no answer");
            }
        }
        assertThat(LargeAnswers.compose(1_000_000, () -> "large")).isEqualTo("large");
    }

    private void awaitGo() {
        try {
            if (!go.await(20, TimeUnit.SECONDS)) throw new IllegalStateException("nobody let it go");
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }
}
