package io.floodgate.processor.queue;

import static io.floodgate.processor.testing.Commands.ack;
import static io.floodgate.processor.testing.Commands.enqueue;
import static io.floodgate.processor.testing.Commands.extend;
import static io.floodgate.processor.testing.Commands.fetch;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import io.floodgate.processor.testing.Log;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HeartbeatTest {
    private final Log log = new Log();

    @Test
    void prolongs_a_lease_by_its_own_length() {
        // given
        log.receives(enqueue("j1"), fetch().by("w1").lease(ofSeconds(30)));
        // when
        log.after(ofSeconds(20)).receives(extend("w1", null, "j1")).emits("job.heartbeat");
        // then
        log.replies()
                .shown()
                .shows("extended.0", idOf("j1"))
                .shows("server_time", log.now())
                .hides("directive");
        log.event("job.heartbeat")
                .shows("worker_id", "w1")
                .shows("visible_until", log.now().plusSeconds(30));
        log.after(ofSeconds(30).minusMillis(1)).job("j1").is("active");
        log.after(ofMillis(1)).job("j1").is("available");
    }

    @Test
    void prolongs_a_lease_by_what_it_says() {
        log.receives(enqueue("j1"), fetch().lease(ofSeconds(30)), extend(null, ofMinutes(5), "j1"));
        log.job("j1").shows("lease_expires_at", Log.START.plus(ofMinutes(5)));
        log.receives(extend(null, null, "j1"));
        log.job("j1").shows("lease_expires_at", Log.START.plus(ofSeconds(30)));
    }

    @Test
    void prolongs_several_at_once() {
        log.receives(
                enqueue("j1"),
                enqueue("j2").to("other"),
                fetch("q", "other").count(2).by("w1"));
        log.receives(extend("w1", ofMinutes(1), "j1", "j2")).emits("job.heartbeat", "job.heartbeat");
        log.replies().shown().shows("extended.0", idOf("j1")).shows("extended.1", idOf("j2"));
    }

    @Test
    void prolongs_nothing_that_is_not_leased() {
        log.receives(
                enqueue("done"),
                enqueue("lost"),
                fetch().count(2).lease(ofSeconds(5)).by("w1"),
                ack("done"));
        log.after(ofSeconds(5)).receives(enqueue("new"), extend("w1", null, "done", "lost", "new", "unknown"));
        log.replies().shown().showsJson("extended", "[]").showsJson("elsewhere", "[]");
        log.emits("job.enqueued");
    }

    @Test
    void prolongs_nothing_that_is_leased_to_somebody_else() {
        log.receives(enqueue("j1"), fetch().by("w1").lease(ofSeconds(30)));
        log.sleeps(ofSeconds(1))
                .receives(extend("w2", null, "j1"))
                .emits()
                .replies()
                .shown()
                .showsJson("extended", "[]");
        log.job("j1").shows("lease_expires_at", Log.START.plusSeconds(30));
    }

    @Test
    void comes_too_late_when_the_lease_ends_at_the_same_time() {
        log.receives(enqueue("j1"), fetch().by("w1").lease(ofSeconds(30)));
        log.sleeps(ofSeconds(30)).receives(extend("w1", null, "j1"));
        log.replies().shown().showsJson("extended", "[]");
        log.job("j1").is("available");
    }

    @Test
    void does_not_prolong_the_time_a_run_may_take() {
        log.receives(enqueue("j1").timeout(ofSeconds(10)), fetch().lease(ofSeconds(8)));
        log.after(ofSeconds(6)).receives(extend(null, null, "j1"));
        log.after(ofSeconds(4)).job("j1").is("retryable").shows("error.type", "timeout");
    }

    @ParameterizedTest
    @CsvSource({"quiet, none, quiet", "none, terminate, terminate", "quiet, terminate, terminate"})
    void carries_the_directive_of_the_jobs_it_prolongs(String first, String second, String directive) {
        log.receives(
                enqueue("j1").member("meta", "{\"test_directive\":\"%s\"}".formatted(first)),
                enqueue("j2").member("meta", "{\"test_directive\":\"%s\"}".formatted(second)),
                fetch().count(2),
                extend(null, null, "j1", "j2"));
        log.replies().shown().shows("directive", directive);
    }

    @Test
    void carries_no_directive_of_others_jobs() {
        log.receives(
                enqueue("j1").member("meta", "{\"test_directive\":\"quiet\"}"),
                fetch().by("w1"),
                extend("w2", null, "j1"));
        log.replies().shown().hides("directive");
    }

    private static String idOf(String nickname) {
        return io.floodgate.processor.testing.Ids.id(nickname).toString();
    }
}
