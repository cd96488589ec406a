package io.floodgate.gateway.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.topics.queue.QueueConfig;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class CapacityCacheTest {
    private final AtomicLong nanos = new AtomicLong(1);
    private final CapacityCache doors = new CapacityCache(2, nanos::get);
    private final FullQueue queue = new FullQueue(10, 10);

    private static QueueCapacity room(long version, long depth, Long bound) {
        return new QueueCapacity(version, depth, 0, new QueueConfig(bound, null, null, null));
    }

    @Test
    void know_so_many_queues_and_those_that_reject_above_all() {
        doors.rejected(queue.rejection(), 1, null);
        doors.answered("a", room(1, 0, 5L));
        nanos.incrementAndGet();
        doors.answered("b", room(1, 0, 5L));

        assertThat(doors.find("email")).isNotNull();
        assertThat(doors.find("a")).isNull();
        assertThat(doors.find("b")).isNotNull();
    }

    @Test
    void do_not_believe_a_rejection_from_before_something_was_forgotten() {
        doors.answered("a", room(1, 0, 5L));
        doors.answered("b", room(1, 0, 5L));
        nanos.incrementAndGet();
        doors.answered("c", room(1, 0, 5L));

        doors.rejected(queue.rejection(), 1, null);
        assertThat(doors.find("email")).isNull();

        nanos.incrementAndGet();
        doors.rejected(queue.rejection(), nanos.get(), null);
        assertThat(doors.find("email")).isNotNull();
    }

    @Test
    void take_no_notice_of_statuses_without_bounds() {
        doors.published("a", room(1, 0, null), new AdmissionGates(false, false));
        assertThat(doors.find("a")).isNull();
    }

    @Test
    void of_one_step_what_tells_of_more_room_counts() {
        assertThat(room(2, 9, 10L).isNewerThan(room(2, 10, 10L))).isTrue();
        assertThat(room(2, 10, 10L).isNewerThan(room(2, 9, 10L))).isFalse();
        assertThat(room(3, 10, 10L).isNewerThan(room(2, 9, 10L))).isTrue();
    }
}
