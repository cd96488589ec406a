package io.floodgate.processor.queue;

import static io.floodgate.topics.command.ErrorCode.INVALID_REQUEST;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import io.floodgate.processor.testing.PartitionTest;
import io.floodgate.processor.testing.TestPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DelayTest extends PartitionTest {
    @Test
    void a_job_for_later_waits_for_its_time() {
        log.receives(enqueue("j1").delay(ofMinutes(5))).emits("queue.created", "job.scheduled");
        log.job("j1")
                .is("scheduled")
                .shows("scheduled_at", TestPartition.START.plus(ofMinutes(5)))
                .hides("started_at");
        log.status("q").shows("scheduled", 1).shows("available", 0).shows("depth", 1);
        log.after(ofMinutes(5).minusMillis(1))
                .emits()
                .receives(fetch())
                .replies()
                .nothing();
        log.after(ofMillis(1)).emits("job.enqueued");
        log.job("j1").is("available").hides("scheduled_at");
        log.receives(fetch()).replies().jobs("j1");
    }

    @ParameterizedTest
    @CsvSource({
        "scheduled_at, \"2026-01-01T12:05:00Z\"",
        "scheduled_at, \"2026-01-01T13:05:00.000000000+01:00\"",
        "scheduled_at, \"2026-01-01T12:04:59.999000001Z\"",
        "delay_until, \"+PT5M\"",
        "delay_until, \"PT300S\"",
        "delay, 300",
        "delay, \"5m\"",
    })
    void in_every_spelling(String member, String value) {
        log.receives(enqueue("j1").member(member, value));
        log.job("j1").is("scheduled").shows("scheduled_at", TestPartition.START.plus(ofMinutes(5)));
    }

    @Test
    void a_time_in_the_past_is_now() {
        log.receives(enqueue("j1").member("scheduled_at", "\"2020-01-01T00:00:00Z\""));
        log.replies().shown().is("available");
        log.receives(enqueue("j2").member("scheduled_at", "\"2026-01-01T12:00:00Z\""))
                .replies()
                .shown()
                .is("available");
    }

    @Test
    void a_time_that_is_none_is_rejected() {
        log.receives(enqueue("j1").member("scheduled_at", "\"tomorrow\""))
                .rejects(INVALID_REQUEST)
                .with("field", "scheduled_at");
    }

    @Test
    void its_place_in_the_line_is_that_of_its_time() {
        log.receives(enqueue("later").delay(ofSeconds(5)), enqueue("now"));
        log.after(ofSeconds(5))
                .receives(enqueue("after"), fetch().count(3))
                .replies()
                .jobs("now", "later", "after");
    }

    @Test
    void jobs_of_different_times_come_in_the_order_of_their_times() {
        log.receives(
                enqueue("third").delay(ofSeconds(3)),
                enqueue("first").delay(ofSeconds(1)),
                enqueue("second").delay(ofSeconds(2)));
        log.sleeps(ofSeconds(10)).receives(fetch().count(3)).replies().jobs("first", "second", "third");
    }

    @Test
    void a_restart_does_not_forget() {
        log.receives(enqueue("j1").delay(ofHours(1)));
        log.restarts().after(ofHours(1)).job("j1").is("available");
    }

    @Test
    void the_end_of_time_is_late_enough() {
        log.receives(enqueue("j1").member("scheduled_at", "\"9999-12-31T23:59:59.999999999Z\""));
        log.job("j1").is("scheduled").shows("scheduled_at", "9999-12-31T23:59:59.999Z");
    }
}
