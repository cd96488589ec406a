package io.floodgate.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.bench.load.Load;
import io.floodgate.bench.load.Measurement;
import io.floodgate.bench.load.Plan;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class HandoffsTest {
    private final Load load = new Load(Plan.closed(Duration.ZERO, Duration.ofMillis(20), 1));
    private final Handoffs handoffs = new Handoffs(load);

    @Test
    void a_job_counts_from_when_it_was_due_to_when_its_handler_started() throws Exception {
        long number = handoffs.send(load.window().start());
        handoffs.started(number);
        Measurement found = handoffs.measured("handoff", "how", sending());
        assertThat(found.samples()).isEqualTo(1);
        assertThat(found.errors().count()).isZero();
    }

    @Test
    void a_job_that_was_not_sent_is_not_waited_for() throws Exception {
        handoffs.notSent(handoffs.send(load.window().start()));
        assertThat(handoffs.measured("handoff", "how", sending()).errors().count())
                .isZero();
    }

    @Test
    void a_job_that_comes_again_counts_once() throws Exception {
        long number = handoffs.send(load.window().start());
        handoffs.started(number);
        handoffs.started(number);
        assertThat(handoffs.measured("handoff", "how", sending()).samples()).isEqualTo(1);
    }

    private Measurement sending() throws Exception {
        return load.onVirtualThreads("sending", "how", "jobs", caller -> due -> 1);
    }
}
