package io.floodgate.processor.queue;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import io.floodgate.processor.testing.PartitionTest;
import io.floodgate.processor.testing.TestPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HeartbeatTest extends PartitionTest {
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
        log.job("j1").shows("lease_expires_at", TestPartition.START.plus(ofMinutes(5)));
        log.receives(extend(null, null, "j1"));
        log.job("j1").shows("lease_expires_at", TestPartition.START.plus(ofSeconds(30)));
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
    void prolongs_nothing_that_is_leased_to_another_client() {
        log.receives(enqueue("j1"), fetch().by("w1").lease(ofSeconds(30)));
        log.sleeps(ofSeconds(1))
                .receives(extend("w2", null, "j1"))
                .emits()
                .replies()
                .shown()
                .showsJson("extended", "[]");
        log.job("j1").shows("lease_expires_at", TestPartition.START.plusSeconds(30));
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

    // the jobs that a worker believes it has

    @Test
    void names_those_that_the_worker_does_not_hold() {
        log.receives(
                enqueue("held"),
                enqueue("done"),
                enqueue("cancelled"),
                fetch().count(3).by("w1"),
                ack("done"),
                cancel("cancelled"),
                enqueue("others"),
                fetch().by("w2"));
        log.receives(extend("w1", null, "held", "done", "cancelled", "others", "unknown"));
        log.replies()
                .shown()
                .showsJson("extended", "['%s']".formatted(idOf("held")))
                .showsJson(
                        "lost",
                        "['%s','%s','%s','%s']"
                                .formatted(idOf("done"), idOf("cancelled"), idOf("others"), idOf("unknown")))
                .showsJson("cancelled", "['%s']".formatted(idOf("cancelled")));
    }

    @Test
    void a_job_that_its_worker_never_names_comes_back_after_thirty_seconds() {
        // given
        log.receives(enqueue("j1"), fetch().by("w1").lease(ofHours(1)));
        log.after(ofSeconds(30).minusMillis(1)).receives(extendAll("w1"));
        log.after(ofSeconds(2)).receives(extendAll("w1")).emits();
        // when
        log.after(ofSeconds(1)).receives(extendAll("w1")).emits("job.available");
        // then
        log.event("job.available").shows("reason", "not_received");
        log.job("j1").is("available").shows("attempt", 0).hides("errors");
    }

    @Test
    void two_lists_at_the_same_time_are_one() {
        log.receives(enqueue("j1"), fetch().by("w1").lease(ofHours(1)));
        log.after(ofSeconds(30)).receives(extendAll("w1"), extendAll("w1"));
        log.sleeps(ofMillis(999)).receives(extendAll("w1")).job("j1").is("active");
        log.restarts().sleeps(ofMillis(1)).receives(extendAll("w1")).job("j1").is("available");
    }

    @Test
    void a_job_that_was_named_once_is_the_workers_until_its_lease_ends() {
        log.receives(enqueue("j1"), fetch().by("w1").lease(ofHours(1)), extendAll("w1", "j1"));
        for (int i = 0; i < 10; i++)
            log.after(ofSeconds(30)).receives(extendAll("w1")).emits();
        log.job("j1").is("active");
    }

    @Test
    void a_list_that_is_not_complete_says_nothing_of_those_it_leaves_out() {
        log.receives(enqueue("j1"), fetch().by("w1").lease(ofHours(1)));
        for (int i = 0; i < 10; i++)
            log.after(ofSeconds(30)).receives(extend("w1", null)).emits();
        log.job("j1").is("active");
    }

    @Test
    void a_complete_list_says_nothing_of_others_jobs() {
        log.receives(enqueue("j1"), fetch().by("w1").lease(ofHours(1)), enqueue("j2"), fetch().lease(ofHours(1)));
        for (int i = 0; i < 3; i++)
            log.after(ofSeconds(30)).receives(extendAll("w2")).emits();
        log.job("j1").is("active");
        log.job("j2").is("active");
    }

    private static String idOf(String nickname) {
        return io.floodgate.processor.testing.Ids.id(nickname).toString();
    }
}
