package io.floodgate.processor.queue.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.topics.JobId;
import io.floodgate.topics.Slot;
import org.junit.jupiter.api.Test;

class RecentJobsTest {
    private final RecentJobs recent = new RecentJobs();

    private static JobId madeAt(long millis) {
        return JobId.make(Slot.of("email"), millis, 1);
    }

    @Test
    void nothing_is_certain_until_it_is_known_what_is_stored() {
        recent.add(madeAt(1));
        assertThat(recent.isCertainlyNew(madeAt(2))).isFalse();
        assertThat(recent.knowsWhereItBegins()).isFalse();
    }

    @Test
    void a_job_made_after_all_stored_ones_is_new_until_it_is_stored() {
        recent.beginAfter(madeAt(10));
        assertThat(recent.knowsWhereItBegins()).isTrue();
        assertThat(recent.isCertainlyNew(madeAt(10))).isFalse();
        assertThat(recent.isCertainlyNew(madeAt(9))).isFalse();
        assertThat(recent.isCertainlyNew(madeAt(11))).isTrue();
        recent.add(madeAt(12));
        assertThat(recent.isCertainlyNew(madeAt(11))).isTrue();
        assertThat(recent.isCertainlyNew(madeAt(12))).isFalse();
    }

    @Test
    void what_was_stored_before_it_was_known_where_it_begins_counts() {
        recent.add(madeAt(12));
        recent.beginAfter(madeAt(10));
        assertThat(recent.isCertainlyNew(madeAt(12))).isFalse();
        assertThat(recent.isCertainlyNew(madeAt(13))).isTrue();
    }

    @Test
    void what_is_forgotten_is_not_certain_any_more() {
        recent.beginAfter(madeAt(0));
        for (int millis = 1; millis <= 5_000; millis++) recent.add(madeAt(millis));
        assertThat(recent.isCertainlyNew(madeAt(5_000))).isFalse();
        assertThat(recent.isCertainlyNew(madeAt(1))).isFalse();
        recent.add(madeAt(2));
        assertThat(recent.isCertainlyNew(madeAt(2))).isFalse();
        assertThat(recent.isCertainlyNew(madeAt(5_001))).isTrue();
    }
}
