package io.floodgate.processor.queue;

import static io.floodgate.topics.command.ErrorCode.CONFLICT;
import static io.floodgate.topics.command.ErrorCode.NOT_FOUND;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.testing.PartitionTest;
import io.floodgate.processor.testing.TestPartition;
import io.floodgate.topics.command.ErrorReport;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NackTest extends PartitionTest {
    @Test
    void a_failed_job_is_tried_again_after_a_delay() {
        // given
        log.receives(enqueue("j1").retry("{'jitter':false}"), fetch().by("w1"));
        // when
        log.sleeps(ofSeconds(1)).receives(nack("j1").type("smtp.refused")).emits("job.failed", "job.retrying");
        // then
        log.replies().shown().is("retryable").shows("retry_delay_ms", 1000).hides("worker_id", "lease");
        log.job("j1")
                .is("retryable")
                .shows("attempt", 1)
                .shows("next_attempt_at", TestPartition.START.plusSeconds(2))
                .shows("next_retry_at", TestPartition.START.plusSeconds(2))
                .shows("started_at", TestPartition.START)
                .shows("error.type", "smtp.refused")
                .shows("error.message", "it broke")
                .shows("error.attempt", 1)
                .shows("error.occurred_at", log.now())
                .shows("errors.0.timestamp", log.now())
                .shows("errors.0.worker_id", "w1")
                .hides("completed_at", "discarded_at");
        log.event("job.retrying")
                .shows("attempt", 1)
                .shows("max_attempts", 3)
                .shows("next_retry_at", TestPartition.START.plusSeconds(2))
                .shows("error.type", "smtp.refused");
        log.status("q")
                .shows("retryable", 1)
                .shows("active", 0)
                .shows("depth", 1)
                .shows("failed_last_hour", 1);
        // and then
        log.after(ofMillis(999)).receives(fetch()).replies().nothing();
        log.after(ofMillis(1))
                .emits("job.available")
                .receives(fetch())
                .replies()
                .jobs("j1");
        log.job("j1").shows("attempt", 2).shows("retry_delay_ms", 1000).shows("errors.0.attempt", 1);
    }

    @Test
    void a_job_whose_attempts_are_used_up_is_a_dead_letter() {
        log.receives(enqueue("j1").maxAttempts(2), fetch(), nack("j1"));
        log.after(ofSeconds(2))
                .receives(fetch(), nack("j1"))
                .emits("job.started", "job.failed", "job.discarded", "dead_letter.added");
        log.job("j1")
                .is("discarded")
                .shows("attempt", 2)
                .shows("discarded_at", log.now())
                .shows("completed_at", log.now())
                .shows("errors.0.attempt", 1)
                .shows("errors.1.attempt", 2)
                .shows("error.attempt", 2);
        log.event("job.discarded")
                .shows("duration_ms", 0)
                .shows("total_attempts", 2)
                .shows("last_error.type", "handler_error");
        log.status("q").shows("discarded", 1).shows("dead", 1).shows("depth", 0).shows("failed_last_hour", 2);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void with_one_attempt_or_none_nothing_is_tried_again(int attempts) {
        log.receives(enqueue("j1").maxAttempts(attempts), fetch(), nack("j1"));
        log.job("j1").is("discarded").shows("attempt", 1);
    }

    @ParameterizedTest
    @CsvSource({"dead_letter, 1", "discard, 0"})
    void what_becomes_of_an_exhausted_job_is_for_its_policy_to_say(String onExhaustion, int deadLetters) {
        log.receives(
                enqueue("j1").retry("{'max_attempts':1,'on_exhaustion':'%s'}".formatted(onExhaustion)),
                fetch(),
                nack("j1"));
        log.job("j1").is("discarded");
        log.status("q").shows("discarded", 1).shows("dead", deadLetters);
    }

    @ParameterizedTest
    @CsvSource({"DISCARD, discarded, 0", "FAIL, discarded, 0", "DEAD_LETTER, discarded, 1", "RETRY, retryable, 0"})
    void the_handler_may_decide(String code, String state, int deadLetters) {
        log.receives(enqueue("j1"), fetch(), nack("j1").code(code));
        log.job("j1").is(state).shows("error.code", code);
        log.status("q").shows("dead", deadLetters);
    }

    @Test
    void a_handler_cannot_ask_for_more_attempts_than_there_are() {
        log.receives(enqueue("j1").maxAttempts(1), fetch(), nack("j1").code("RETRY"));
        log.job("j1").is("discarded");
    }

    @Test
    void an_error_that_is_not_retryable_ends_it() {
        log.receives(enqueue("j1"), fetch(), nack("j1").retryable(false));
        log.job("j1").is("discarded").shows("error.retryable", false);
        log.receives(enqueue("j2"), fetch(), nack("j2").retryable(true));
        log.job("j2").is("retryable").shows("error.retryable", true);
    }

    @ParameterizedTest
    @CsvSource({
        "validation.*, validation.missing, discarded",
        "validation.*, validation, retryable",
        "validation.*, validations.missing, retryable",
        "smtp.refused, smtp.refused, discarded",
        "smtp.refused, smtp.refused.again, retryable",
        "smtp.refused, SMTP.REFUSED, retryable",
        "*, anything, retryable",
    })
    void errors_of_types_named_by_the_policy_end_it(String entry, String type, String state) {
        log.receives(
                enqueue("j1").retry("{'non_retryable_errors':['other','%s']}".formatted(entry)),
                fetch(),
                nack("j1").type(type));
        log.job("j1").is(state);
    }

    @Test
    void the_code_is_looked_up_like_the_type() {
        log.receives(
                enqueue("j1").retry("{'non_retryable_errors':['no_such_user']}"),
                fetch(),
                nack("j1").code("no_such_user"));
        log.job("j1").is("discarded");
    }

    @ParameterizedTest
    @CsvSource({
        "none, 2.0, 1000, 1000, 1000",
        "linear, 2.0, 1000, 2000, 3000",
        "exponential, 2.0, 1000, 2000, 4000",
        "exponential, 3.0, 1000, 3000, 9000",
        "polynomial, 2.0, 1000, 4000, 9000",
    })
    void every_backoff_grows_in_its_way(String strategy, double coefficient, long first, long second, long third) {
        log.receives(enqueue("j1")
                .retry("{'max_attempts':9,'jitter':false,'backoff_strategy':'%s','backoff_coefficient':%s}"
                        .formatted(strategy, coefficient)));
        for (long delay : new long[] {first, second, third}) {
            log.receives(fetch(), nack("j1"));
            log.job("j1").shows("retry_delay_ms", delay);
            log.after(ofMillis(delay));
        }
    }

    @Test
    void no_delay_is_longer_than_the_policy_allows() {
        log.receives(enqueue("j1")
                .retry("{'max_attempts':2000000000,'jitter':false,'backoff_coefficient':1000,'max_interval':'PT7S'}"));
        for (long delay : new long[] {1000, 7000, 7000}) {
            log.receives(fetch(), nack("j1"));
            log.job("j1").shows("retry_delay_ms", delay);
            log.after(ofMillis(delay));
        }
    }

    @Test
    void jitter_stays_within_half_of_the_delay_and_differs_from_job_to_job() {
        for (int i = 0; i < 20; i++) log.receives(enqueue("j" + i), fetch(), nack("j" + i));
        assertThat(java.util.stream.IntStream.range(0, 20)
                        .mapToObj(i -> log.job("j" + i).number("retry_delay_ms")))
                .allMatch(delay -> delay >= 500 && delay <= 1500)
                .doesNotHaveDuplicates();
    }

    @Test
    void without_a_delay_the_job_is_ready_with_the_next_record() {
        log.receives(enqueue("j1").retry("{'initial_interval_ms':0}"), fetch(), nack("j1"), fetch());
        log.replies().jobs("j1");
    }

    @Test
    void a_retried_job_joins_the_end_of_the_line() {
        log.receives(enqueue("j1"), fetch(), nack("j1"), enqueue("j2"));
        log.after(ofSeconds(2)).receives(fetch().count(2)).replies().jobs("j2", "j1");
    }

    @Test
    void a_job_given_back_was_not_tried() {
        log.receives(enqueue("j1"), fetch().by("w1"), nack("j1").requeue())
                .emits("queue.created", "job.enqueued", "job.started", "job.available");
        log.event("job.available").shows("reason", "requeued");
        log.job("j1").is("available").shows("attempt", 0).hides("started_at", "error", "errors", "worker_id");
        log.status("q").shows("available", 1).shows("failed_last_hour", 0);
        log.receives(fetch()).replies().shown().shows("attempt", 1).shows("lease", 2);
    }

    @Test
    void a_job_given_back_for_later_was_not_tried_and_joins_the_end_of_the_line_then() {
        log.receives(
                        enqueue("j1"),
                        enqueue("j2"),
                        fetch().by("w1").count(1),
                        nack("j1").requeueIn(ofSeconds(30)))
                .emits("queue.created", "job.enqueued", "job.enqueued", "job.started", "floodgate.job_postponed");
        log.event("floodgate.job_postponed")
                .shows("reason", "requeued")
                .shows("attempt", 0)
                .shows("next_retry_at", TestPartition.START.plusSeconds(30));
        log.job("j1")
                .is("retryable")
                .shows("attempt", 0)
                .shows("next_attempt_at", TestPartition.START.plusSeconds(30))
                .hides("started_at", "error", "errors", "worker_id");
        log.status("q").shows("retryable", 1).shows("depth", 2).shows("failed_last_hour", 0);
        // and then
        log.after(ofSeconds(30).minusMillis(1)).receives(enqueue("j3"));
        log.after(ofMillis(1)).emits("job.available");
        log.receives(fetch().count(3)).replies().jobs("j2", "j3", "j1");
        log.job("j1").shows("attempt", 1);
    }

    @Test
    void is_rejected_for_a_job_that_is_not_active() {
        log.receives(enqueue("j1"), nack("j1")).rejects(CONFLICT).with("current_state", "available");
        log.receives(fetch(), ack("j1"), nack("j1")).rejects(CONFLICT).with("current_state", "completed");
        log.receives(nack("j2")).rejects(NOT_FOUND);
    }

    @Test
    void is_rejected_for_any_client_but_the_holder_of_the_lease() {
        log.receives(enqueue("j1"), fetch().by("w1").lease(ofSeconds(1)));
        log.after(ofSeconds(1)).receives(fetch().by("w2"));
        log.receives(nack("j1").by("w1")).rejects(CONFLICT).with("worker_id", "w2");
        log.receives(nack("j1").underLease(1)).rejects(CONFLICT).with("lease", 2);
        log.receives(nack("j1").requeue().by("w1")).rejects(CONFLICT);
        log.job("j1").is("active").shows("attempt", 2);
    }

    @Test
    void the_report_is_kept_with_its_details() {
        byte[] details = "{\"error_class\":\"SMTPError\",\"nested\":{\"a\":[1]}}".getBytes(StandardCharsets.UTF_8);
        log.receives(
                enqueue("j1"), fetch(), nack("j1").error(new ErrorReport("t", "c", "Zeile\n\"ü\"", null, details)));
        log.job("j1")
                .shows("error.type", "t")
                .shows("error.code", "c")
                .shows("error.message", "Zeile\n\"ü\"")
                .showsJson("error.details", "{'error_class':'SMTPError','nested':{'a':[1]}}")
                .hides("error.retryable");
    }

    @Test
    void the_delay_counts_from_the_failure_not_from_the_start() {
        log.receives(enqueue("j1").retry("{'jitter':false,'initial_interval':'PT1M'}"), fetch());
        Duration run = ofMinutes(10);
        log.sleeps(run).receives(nack("j1"));
        log.job("j1").shows("next_attempt_at", TestPartition.START.plus(run).plus(ofMinutes(1)));
    }
}
