package io.floodgate.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LoadTest {
    private static final Duration WARMUP = Duration.ofMillis(50);
    private static final Duration MEASURED = Duration.ofMillis(300);
    private static final long SELF = ProcessHandle.current().pid();

    private final AtomicInteger calls = new AtomicInteger();

    private static Measurement run(Duration warmup, Part part) throws Exception {
        return new Load(warmup, MEASURED, OptionalLong.of(SELF)).run(part).getFirst();
    }

    private static Part part(LoadOperation operation) {
        return Part.of("name", "jobs", 1, (caller, steps) -> operation).onVirtualThreads();
    }

    @Test
    void a_closed_loop_counts_what_was_done_within_the_window() throws Exception {
        Measurement found = run(WARMUP, part(due -> {
            Thread.sleep(1);
            return 2 + 0 * calls.incrementAndGet();
        }));
        assertThat(found.units()).isPositive().isLessThan(2L * calls.get());
        assertThat(found.perSecond()).isEqualTo(found.units() / 0.3);
        assertThat(found.cpuMicrosPerUnit()).isNotNegative();
    }

    @Test
    void an_open_loop_starts_as_many_as_are_due() throws Exception {
        Measurement found = run(WARMUP, part(due -> calls.incrementAndGet()).atRate(1_000));
        assertThat(calls).hasValue(350);
        assertThat(found.samples()).isEqualTo(300);
        assertThat(found.errors().lines()).isEmpty();
    }

    @Test
    void a_rate_that_does_not_divide_a_second_does_not_drift() {
        assertThat(new Schedule(0, 3).due(3_000_000)).isEqualTo(1_000_000_000_000_000L);
    }

    @Test
    void a_stall_is_charged_to_everyone_who_was_due_meanwhile() throws Exception {
        // when: the first operation keeps the only caller for most of the window
        Measurement found = run(
                Duration.ZERO,
                part(due -> {
                            if (calls.getAndIncrement() == 0) Thread.sleep(200);
                            return 1;
                        })
                        .atRate(1_000));
        // then: a third was due later than the stall, and had to wait for nothing
        assertThat(found.samples()).isEqualTo(300);
        assertThat(found.millisAt(50)).isBetween(20.0, 150.0);
        assertThat(found.millisAt(100)).isGreaterThanOrEqualTo(199);
    }

    @Test
    void failures_are_errors_and_no_samples() throws Exception {
        Measurement found = run(
                Duration.ZERO,
                part(due -> {
                            if (calls.getAndIncrement() % 2 == 0) throw new IllegalStateException("no");
                            return 1;
                        })
                        .atRate(100));
        assertThat(found.errors().lines()).containsExactly("15 × no");
        assertThat(found.samples()).isEqualTo(15);
    }

    @Test
    void a_load_without_a_time_ends_with_its_work_and_shows_the_steps_of_it() throws Exception {
        Load load = new Load(() -> calls.get() >= 100);
        long begun = System.nanoTime();
        var found = load.run(Part.of("name", "jobs", 3, (caller, steps) -> due -> {
            calls.incrementAndGet();
            steps.took("step", begun - 5_000_000, begun);
            return 1;
        }));
        assertThat(found).extracting(Measurement::name).containsExactly("name", "name: step");
        assertThat(found.getFirst().units()).isBetween(100L, 102L);
        assertThat(found.getLast().millisAt(50)).isBetween(4.9, 5.1);
    }
}
