package io.floodgate.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SamplesTest {
    private static final long MICRO = 1_000;
    private final MeasuredWindow window = new MeasuredWindow(1_000_000, 9_000_000);

    @Test
    void what_was_due_during_the_warm_up_has_no_latency_but_counts_as_work_when_done_later() {
        Samples samples = new Samples(window);
        samples.add(999_999, 1_000_000, 5);
        assertThat(Samples.merge(List.of(samples)).getTotalCount()).isZero();
        assertThat(samples.units()).isEqualTo(5);
    }

    @Test
    void what_was_done_after_the_end_has_a_latency_but_is_no_work_of_the_window() {
        Samples samples = new Samples(window);
        samples.add(8_999_999, 20_000_000, 1);
        assertThat(Samples.merge(List.of(samples)).getTotalCount()).isEqualTo(1);
        assertThat(samples.units()).isZero();
    }

    @Test
    void a_latency_counts_from_when_the_operation_was_due() {
        Samples samples = new Samples(window);
        samples.add(1_000_000, 1_000_000 + 700 * MICRO, 1);
        assertThat(Samples.merge(List.of(samples)).getMaxValue()).isEqualTo(700);
    }

    @Test
    void merged_samples_are_as_if_one_had_taken_them_all() {
        // given
        Random random = new Random(7);
        Samples all = new Samples(window);
        List<Samples> parts = List.of(new Samples(window), new Samples(window), new Samples(window));
        // when
        for (int i = 0; i < 10_000; i++) {
            long latency = (long) Math.exp(random.nextDouble() * 18);
            all.add(1_000_000, 1_000_000 + latency, 1);
            parts.get(i % 3).add(1_000_000, 1_000_000 + latency, 1);
        }
        // then
        assertThat(Samples.merge(parts)).isEqualTo(Samples.merge(List.of(all)));
    }

    @Test
    void merging_leaves_the_parts_as_they_were() {
        Samples part = new Samples(window);
        part.add(1_000_000, 2_000_000, 1);
        Samples.merge(List.of(part));
        assertThat(Samples.merge(List.of(part)).getTotalCount()).isEqualTo(1);
    }
}
