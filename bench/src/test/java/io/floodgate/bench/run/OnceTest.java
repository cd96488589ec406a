package io.floodgate.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.bench.load.Errors;
import org.junit.jupiter.api.Test;

class OnceTest {
    private final Once once = new Once(3);

    @Test
    void is_content_when_each_job_came_once() {
        for (int i = 0; i < 3; i++) once.add(i);
        assertThat(once.isComplete()).isTrue();
        assertThat(errors()).isZero();
    }

    @Test
    void counts_the_jobs_that_are_missing() {
        once.add(1);
        assertThat(once.isComplete()).isFalse();
        assertThat(errors()).isEqualTo(2);
    }

    @Test
    void counts_a_job_that_came_twice_and_one_that_no_client_sent() {
        for (int i = 0; i < 3; i++) once.add(i);
        once.add(2);
        once.add(3);
        once.add(-1);
        assertThat(errors()).isEqualTo(3);
    }

    private long errors() {
        Errors errors = new Errors();
        once.report(errors);
        return errors.count();
    }
}
