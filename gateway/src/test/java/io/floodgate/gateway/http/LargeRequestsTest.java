package io.floodgate.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Rejection;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class LargeRequestsTest {
    private static final int TURNS = Math.max(1, Runtime.getRuntime().availableProcessors() - 1);
    private static final int LARGE = 100_000;

    @Test
    void only_so_many_large_ones_are_read_at_a_time() throws Exception {
        assertThat(mostAtATime()).isBetween(1, TURNS);
    }

    private static int mostAtATime() throws InterruptedException {
        AtomicInteger atOnce = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 20 * TURNS; i++)
            threads.add(Thread.startVirtualThread(() -> {
                try {
                    int unused = LargeRequests.read(LARGE, () -> {
                        most.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
                        for (int spin = 0; spin < 10_000; spin++) Thread.onSpinWait();
                        return atOnce.decrementAndGet();
                    });
                } catch (RejectedException rejected) {
                    throw new AssertionError(rejected);
                }
            }));
        for (Thread thread : threads) thread.join();
        return most.get();
    }

    @Test
    void small_ones_do_not_wait_for_large_ones() throws Exception {
        CountDownLatch done = new CountDownLatch(1);
        List<Thread> large = new ArrayList<>();
        for (int i = 0; i < TURNS; i++)
            large.add(Thread.startVirtualThread(() -> {
                try {
                    LargeRequests.read(LARGE, () -> {
                        done.await();
                        return true;
                    });
                } catch (RejectedException | InterruptedException failed) {
                    throw new AssertionError(failed);
                }
            }));
        assertThat(LargeRequests.<String, RuntimeException>read(100, () -> "read"))
                .isEqualTo("read");
        done.countDown();
        for (Thread thread : large) thread.join();
    }

    @Test
    void what_is_rejected_ends_its_turn() throws Exception {
        for (int i = 0; i < 3 * TURNS; i++)
            assertThatThrownBy(() -> LargeRequests.read(LARGE, () -> {
                        throw new RejectedException(Rejection.of(ErrorCode.INVALID_PAYLOAD, "no"));
                    }))
                    .isInstanceOf(RejectedException.class);
        assertThat(mostAtATime()).isBetween(1, TURNS);
    }
}
