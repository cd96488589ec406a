package io.floodgate.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.bench.http.EchoHttpServer;
import io.floodgate.bench.http.HttpConnection;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class LoadTest {
    private static final Duration WARMUP = Duration.ofMillis(50);
    private static final Duration MEASURED = Duration.ofMillis(300);

    @Test
    void a_closed_loop_counts_what_was_done_within_the_window() throws Exception {
        try (EchoHttpServer server = new EchoHttpServer()) {
            Measurement found = new Load(Plan.closed(WARMUP, MEASURED, 4))
                    .onThreads("echo", "", "requests", caller -> posting(server));
            assertThat(found.errors().lines()).isEmpty();
            assertThat(found.units()).isPositive().isLessThan(server.requests.get());
            assertThat(found.samples()).isPositive();
            assertThat(found.perSecond()).isEqualTo(found.units() / 0.3);
        }
    }

    @Test
    void an_open_loop_starts_as_many_as_are_due() throws Exception {
        AtomicInteger done = new AtomicInteger();
        Measurement found = new Load(new Plan(WARMUP, MEASURED, 2, 1_000))
                .onVirtualThreads("count", "", "calls", caller -> due -> done.incrementAndGet() * 0 + 1);
        assertThat(done).hasValue(350);
        assertThat(found.samples()).isEqualTo(300);
    }

    @Test
    void a_stall_is_charged_to_everyone_who_was_due_meanwhile() throws Exception {
        // given: one caller, whom the first operation holds up for most of the window
        AtomicInteger calls = new AtomicInteger();
        CountDownLatch never = new CountDownLatch(1);
        LoadOperation stalling = due -> {
            if (calls.getAndIncrement() == 0) never.await(200, TimeUnit.MILLISECONDS);
            return 1;
        };
        // when
        Measurement found = new Load(new Plan(Duration.ZERO, MEASURED, 1, 1_000))
                .onVirtualThreads("stall", "", "calls", c -> stalling);
        // then: a third was due later than the stall, and had to wait for nothing
        assertThat(found.samples()).isEqualTo(300);
        assertThat(found.millisAt(50)).isBetween(20.0, 120.0);
        assertThat(found.maxMillis()).isGreaterThanOrEqualTo(199);
    }

    @Test
    void failures_are_errors_and_no_samples() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        Measurement found = new Load(new Plan(Duration.ZERO, MEASURED, 1, 100))
                .onVirtualThreads("half", "", "calls", caller -> due -> {
                    if (calls.getAndIncrement() % 2 == 0) throw new IllegalStateException("no");
                    return 1;
                });
        assertThat(found.errors().count()).isEqualTo(15);
        assertThat(found.errors().lines()).containsExactly("15 × no");
        assertThat(found.samples()).isEqualTo(15);
    }

    /** Answers what was begun, some at a time; the first of it late. */
    private static final class Answering implements Crowd {
        private final Deque<Integer> begun = new ArrayDeque<>();
        private final long lateNanos;
        private final long started = System.nanoTime();
        private int number;

        private Answering(long lateMillis) {
            lateNanos = TimeUnit.MILLISECONDS.toNanos(lateMillis);
        }

        @Override
        public void begin(int caller, long due) {
            assertThat(begun).doesNotContain(caller);
            assertThat(due - System.nanoTime()).isNotPositive();
            if (++number % 10 == 0) throw new IllegalStateException("no");
            begun.add(caller);
        }

        @Override
        public void await(long millis, Listener listener) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
            if (System.nanoTime() - started < lateNanos) return;
            for (Integer caller = begun.poll(); caller != null; caller = begun.poll()) listener.ended(caller, 2, null);
        }

        @Override
        public void close() {
            assertThat(begun).isEmpty();
        }
    }

    @Test
    void a_crowd_in_an_open_loop_begins_as_many_as_are_due_and_is_charged_for_a_stall() throws Exception {
        Measurement found = new Load(new Plan(Duration.ZERO, MEASURED, 3, 1_000))
                .onOneThread("crowd", "", "jobs", new Answering(200));
        assertThat(found.errors().lines()).containsExactly("30 × no");
        assertThat(found.samples()).isEqualTo(270);
        assertThat(found.maxMillis()).isGreaterThanOrEqualTo(199);
        assertThat(found.millisAt(50)).isBetween(20.0, 150.0);
    }

    @Test
    void a_crowd_in_a_closed_loop_goes_on_as_soon_as_it_is_answered() throws Exception {
        Measurement found =
                new Load(Plan.closed(WARMUP, MEASURED, 3)).onOneThread("crowd", "", "jobs", new Answering(0));
        assertThat(found.units()).isPositive().isLessThanOrEqualTo(2 * found.samples() + 6);
        assertThat(found.errors().lines()).hasSize(1);
    }

    private static LoadOperation posting(EchoHttpServer server) {
        HttpConnection connection = new HttpConnection(server.target(), Duration.ofSeconds(20));
        return new LoadOperation() {
            @Override
            public int run(long due) throws Exception {
                connection.post("/ojs/v1/jobs", new byte[300], 201);
                return 1;
            }

            @Override
            public void close() {
                connection.close();
            }
        };
    }
}
