package io.floodgate.processor.queue;

import static io.floodgate.topics.command.ErrorCode.CONFLICT;
import static io.floodgate.topics.command.ErrorCode.NOT_FOUND;
import static io.floodgate.topics.command.ErrorCode.RESULT_TOO_LARGE;
import static java.time.Duration.ofDays;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.testing.Ids;
import io.floodgate.processor.testing.PartitionTest;
import io.floodgate.processor.testing.TestPartition;
import org.junit.jupiter.api.Test;

class AckTest extends PartitionTest {
    @Test
    void completes_the_job_and_keeps_its_result() {
        log.receives(enqueue("j1"), fetch().by("w1"));
        log.sleeps(ofSeconds(3)).receives(ack("j1").result("{\"sent\":2}")).emits("job.completed");
        log.replies()
                .shown()
                .isJob("j1")
                .is("completed")
                .shows("completed_at", TestPartition.START.plusSeconds(3))
                .shows("started_at", TestPartition.START)
                .shows("attempt", 1)
                .showsJson("result", "{'sent':2}")
                .hides("lease", "lease_expires_at", "worker_id");
        log.event("job.completed")
                .isJob("j1")
                .shows("duration_ms", 3000)
                .shows("worker_id", "w1")
                .showsJson("result", "{'sent':2}");
        log.status("q")
                .shows("completed", 1)
                .shows("active", 0)
                .shows("depth", 0)
                .shows("size_bytes", 0)
                .shows("completed_last_hour", 1)
                .shows("completed_today", 1);
    }

    @Test
    void without_a_result_none_is_shown() {
        log.receives(enqueue("j1"), fetch(), ack("j1"))
                .replies()
                .shown()
                .is("completed")
                .hides("result");
    }

    @Test
    void with_a_result_of_more_than_1_mib_is_rejected_and_the_job_stays_active() {
        log.receives(enqueue("j1"), fetch(), ack("j1").result("\"" + "x".repeat(1024 * 1024) + "\""))
                .rejects(RESULT_TOO_LARGE);
        log.job("j1").is("active");
    }

    @Test
    void a_large_result_is_kept_but_not_announced() {
        String result = "{\"r\":\"" + "x".repeat(5000) + "\"}";
        log.receives(enqueue("j1"), fetch(), ack("j1").result(result));
        log.event("job.completed").hides("result");
        assertThat(log.job("j1").text("result.r")).hasSize(5000);
    }

    @Test
    void the_last_error_is_gone_once_the_job_has_succeeded_but_the_history_stays() {
        log.receives(enqueue("j1"), fetch(), nack("j1"));
        log.after(ofSeconds(2)).receives(fetch(), ack("j1"));
        log.job("j1").is("completed").shows("attempt", 2).hides("error").shows("errors.0.type", "handler_error");
    }

    @Test
    void a_second_one_is_rejected_and_changes_nothing() {
        log.receives(enqueue("j1"), fetch(), ack("j1").result("1"));
        log.receives(ack("j1").result("2")).emits().rejects(CONFLICT).with("current_state", "completed");
        log.job("j1").shows("result", 1);
        log.status("q").shows("completed_last_hour", 1);
    }

    @Test
    void is_rejected_before_the_job_is_fetched() {
        log.receives(enqueue("j1"), ack("j1"))
                .rejects(CONFLICT)
                .with("job_id", Ids.id("j1").toString())
                .with("current_state", "available")
                .with("expected_state", "active");
    }

    @Test
    void is_rejected_for_a_job_no_client_knows() {
        log.receives(ack("j1"))
                .rejects(NOT_FOUND)
                .with("resource_id", Ids.id("j1").toString());
    }

    @Test
    void is_rejected_once_the_lease_has_ended() {
        // given
        log.receives(enqueue("j1"), fetch().by("w1").lease(ofSeconds(30)));
        // when
        log.after(ofSeconds(30));
        log.receives(ack("j1"));
        // then
        log.rejects(CONFLICT).with("current_state", "available");
    }

    @Test
    void is_accepted_in_the_last_millisecond_of_the_lease() {
        log.receives(enqueue("j1"), fetch().lease(ofSeconds(30)));
        log.after(ofSeconds(30).minusMillis(1))
                .receives(ack("j1"))
                .replies()
                .shown()
                .is("completed");
    }

    @Test
    void under_an_earlier_lease_is_rejected() {
        log.receives(enqueue("j1"), fetch().lease(ofSeconds(1)));
        log.after(ofSeconds(1)).receives(fetch());
        log.receives(ack("j1").underLease(1)).rejects(CONFLICT).with("lease", 2);
        log.receives(ack("j1").underLease(2)).replies().shown().is("completed");
    }

    @Test
    void of_an_earlier_attempt_is_rejected() {
        log.receives(enqueue("j1"), fetch().lease(ofSeconds(1)));
        log.after(ofSeconds(1)).receives(fetch());
        log.receives(ack("j1").inAttempt(1)).rejects(CONFLICT).with("attempt", 2);
        log.receives(ack("j1").inAttempt(2)).replies().shown().is("completed");
    }

    @Test
    void by_another_worker_is_rejected() {
        log.receives(enqueue("j1"), fetch().by("w1"));
        log.receives(ack("j1").by("w2")).rejects(CONFLICT).with("worker_id", "w1");
        log.receives(ack("j1").by("w1")).replies().shown().is("completed");
    }

    @Test
    void by_a_client_who_does_not_say_is_accepted() {
        log.receives(enqueue("j1"), fetch().by("w1"), ack("j1"))
                .replies()
                .shown()
                .is("completed");
        log.receives(enqueue("j2"), fetch(), ack("j2").by("w2"))
                .replies()
                .shown()
                .is("completed");
    }

    @Test
    void ends_all_that_could_happen_to_the_job_by_itself() {
        log.receives(enqueue("j1").ttl(ofSeconds(60)), fetch().lease(ofSeconds(30)), ack("j1"));
        log.after(ofDays(6)).job("j1").is("completed");
    }
}
