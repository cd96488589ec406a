package io.floodgate.verification.history;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What checks make of jobs that go from queue to queue, when the order of events of two queues is unknown. */
class MovedJobsTest {
    private final Check place = EventChecks.ONE_QUEUE_AT_A_TIME;
    private final Check order = EventChecks.IN_ORDER;
    private final Check bounds = EventChecks.BOUNDS_HOLD;

    @Test
    void a_job_may_go_there_and_back() {
        // the events of the other queue were read first
        History history = new Story()
                .moved("a", "b", "j1", "available")
                .eventIn("b", "job.started", "j1", "active")
                .eventIn("a", "job.enqueued", "j1", "available")
                .moved("b", "a", "j1", "available")
                .history();

        assertThat(place.violations(history)).isEmpty();
        assertThat(history.eventsByJob().get("j1")).extracting(EventSeen::queue).containsExactly("a", "b", "b", "a");
    }

    @Test
    void a_job_must_not_come_twice() {
        History history = new Story()
                .eventIn("a", "job.enqueued", "j1", "available")
                .moved("a", "b", "j1", "available")
                .moved("a", "b", "j1", "available")
                .history();

        assertThat(place.violations(history)).extracting(Violation::job).containsExactly("j1");
    }

    @Test
    void a_job_must_not_come_to_two_queues() {
        History history = new Story()
                .eventIn("a", "job.enqueued", "j1", "available")
                .moved("a", "b", "j1", "available")
                .moved("a", "c", "j1", "available")
                .history();

        assertThat(place.violations(history)).hasSize(1);
    }

    @Test
    void a_job_must_not_go_on_where_it_has_left() {
        History history = new Story()
                .eventIn("a", "job.enqueued", "j1", "available")
                .moved("a", "b", "j1", "available")
                .eventIn("a", "job.cancelled", "j1", "cancelled")
                .history();

        assertThat(order.violations(history)).hasSize(1);
    }

    @Test
    void a_job_must_come_as_it_left() {
        History history = new Story()
                .eventIn("a", "job.enqueued", "j1", "available")
                .moved("a", "b", "j1", "scheduled")
                .history();

        assertThat(order.violations(history)).hasSize(1);
    }

    @Test
    void a_job_must_not_come_to_a_queue_that_is_full() {
        QueueStory queue =
                new QueueStory().bounded(2, 0, "reject").comes("j1").comes("j2").moves("job.moved", "j3", "available");

        assertThat(bounds.violations(queue.history())).hasSize(1);
    }

    @Test
    void a_queue_that_was_deleted_begins_with_nothing() {
        QueueStory queue = new QueueStory()
                .bounded(2, 0, "reject")
                .comes("j1")
                .comes("j2")
                .deleted()
                .bounded(1, 0, "reject")
                .comes("j3");

        assertThat(bounds.violations(queue.history())).isEmpty();
        assertThat(bounds.violations(queue.comes("j4").history())).hasSize(1);
    }
}
