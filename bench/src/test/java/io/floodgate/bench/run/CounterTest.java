package io.floodgate.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CounterTest {
    @Test
    void deals_out_everything_and_no_more() {
        Counter counter = new Counter(25);
        assertThat(counter.take(10)).isEqualTo(new Counter.Range(0, 10));
        assertThat(counter.take(10)).isEqualTo(new Counter.Range(10, 20));
        assertThat(counter.take(10)).isEqualTo(new Counter.Range(20, 25));
        assertThat(counter.take(10).isEmpty()).isTrue();
    }
}
