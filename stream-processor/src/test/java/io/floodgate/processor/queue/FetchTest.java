package io.floodgate.processor.queue;

import static io.floodgate.topics.command.ErrorCode.INVALID_PAYLOAD;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.testing.Ask;
import io.floodgate.processor.testing.PartitionTest;
import io.floodgate.processor.testing.TestPartition;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FetchTest extends PartitionTest {
    @Test
    void claims_a_job() {
        log.receives(enqueue("j1"));
        log.sleeps(ofSeconds(2)).receives(fetch().by("w1").lease(ofSeconds(30))).emits("job.started");
        log.replies()
                .jobs("j1")
                .shown()
                .is("active")
                .shows("attempt", 1)
                .shows("started_at", TestPartition.START.plusSeconds(2))
                .shows("worker_id", "w1")
                .shows("lease", 1)
                .shows("lease_expires_at", TestPartition.START.plusSeconds(32))
                .shows("type", "test.job")
                .hides("completed_at", "error");
        log.event("job.started")
                .isJob("j1")
                .shows("worker_id", "w1")
                .shows("attempt", 1)
                .shows("lease", 1)
                .shows("queue_time_ms", 2000)
                .shows("visible_until", TestPartition.START.plusSeconds(32));
        log.status("q")
                .shows("active", 1)
                .shows("available", 0)
                .shows("depth", 1)
                .hides("oldest_available_at");
    }

    @Test
    void finds_nothing_in_an_empty_queue_and_does_not_create_it() {
        log.receives(fetch()).emits().replies().nothing();
        assertThat(log.engine().status("q")).isEmpty();
    }

    @Test
    void a_job_is_handed_out_once() {
        log.receives(enqueue("j1"), fetch(), fetch()).replies().nothing();
    }

    @Test
    void first_in_first_out() {
        log.receives(enqueue("j1"), enqueue("j2"), enqueue("j3"), fetch().count(3))
                .replies()
                .jobs("j1", "j2", "j3");
    }

    @Test
    void higher_priority_first() {
        log.receives(
                enqueue("low").priority(-100),
                enqueue("none"),
                enqueue("high").priority(100),
                enqueue("none2"),
                fetch().count(4));
        log.replies().jobs("high", "none", "none2", "low");
    }

    @Test
    void queues_from_left_to_right() {
        log.receives(
                enqueue("b1").to("b").priority(100),
                enqueue("a1").to("a"),
                enqueue("c1").to("c"),
                fetch("a", "b", "c").count(2));
        log.replies().jobs("a1", "b1");
        log.job("c1").is("available");
    }

    @Test
    void a_queue_named_twice_is_emptied_once() {
        log.receives(enqueue("j1"), fetch("q", "q").count(5)).replies().jobs("j1");
    }

    @Test
    void as_many_as_asked_for() {
        log.receives(enqueue("j1"), enqueue("j2"), enqueue("j3"), fetch().count(2))
                .replies()
                .jobs("j1", "j2");
        log.status("q").shows("active", 2).shows("available", 1);
    }

    @Test
    void at_most_a_hundred_and_never_none() {
        log.receives(IntStream.range(0, 150).mapToObj(i -> enqueue("j" + i)).toArray(Ask[]::new));
        log.receives(fetch().count(0)).rejects(INVALID_PAYLOAD);
        log.receives(fetch().count(1000));
        assertThat(log.replies().lines()).hasSize(100);
    }

    @Test
    void a_reply_stops_growing_at_some_size() {
        String args = "[\"" + "x".repeat(1000 * 1000) + "\"]";
        log.unaudited()
                .receives(IntStream.range(0, 12)
                        .mapToObj(i -> enqueue("j" + i).member("args", args))
                        .toArray(Ask[]::new));
        log.receives(fetch().count(12));
        assertThat(log.replies().lines()).hasSize(9);
        log.receives(fetch().count(12));
        assertThat(log.replies().lines()).hasSize(3);
    }

    @Test
    void nothing_from_a_paused_queue_until_it_is_resumed() {
        log.receives(
                enqueue("j1"),
                enqueue("o1").to("other"),
                pause("q"),
                fetch("q", "other").count(2));
        log.replies().jobs("o1");
        log.receives(resume("q"), fetch()).replies().jobs("j1");
    }

    @Test
    void no_job_that_was_cancelled_before() {
        log.receives(enqueue("j1"), enqueue("j2"), enqueue("j3"), cancel("j1"), cancel("j2"), fetch().count(3));
        log.replies().jobs("j3");
    }

    @Test
    void a_lease_lasts_as_long_as_the_fetch_says_else_the_job_else_half_an_hour() {
        log.receives(
                enqueue("j1").visibility(ofSeconds(7)),
                enqueue("j2").visibility(ofSeconds(7)),
                enqueue("j3"),
                fetch().lease(ofSeconds(3)),
                fetch(),
                fetch());
        log.job("j1").shows("lease_expires_at", TestPartition.START.plusSeconds(3));
        log.job("j2").shows("lease_expires_at", TestPartition.START.plusSeconds(7));
        log.job("j3").shows("lease_expires_at", TestPartition.START.plus(ofMinutes(30)));
    }

    @Test
    void a_job_given_back_takes_its_old_place() {
        log.receives(
                enqueue("j1"),
                enqueue("j2"),
                enqueue("j3"),
                fetch().count(2),
                nack("j1").requeue());
        log.receives(fetch().count(3)).replies().jobs("j1", "j3");
    }

    @Test
    void a_worker_without_a_name_gets_jobs_too() {
        log.receives(enqueue("j1"), fetch())
                .replies()
                .shown()
                .is("active")
                .hides("worker_id")
                .shows("lease", 1);
    }

    @Test
    void the_time_spent_waiting_is_counted() {
        log.receives(enqueue("j1"));
        log.sleeps(ofSeconds(4)).receives(fetch());
        log.sleeps(ofSeconds(2)).receives(io.floodgate.processor.testing.Commands.ack("j1"));
        log.status("q")
                .shows("avg_wait_ms", 4000)
                .shows("avg_duration_ms", 2000)
                .shows("completed_last_hour", 1);
    }
}
