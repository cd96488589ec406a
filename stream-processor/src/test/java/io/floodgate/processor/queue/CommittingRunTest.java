package io.floodgate.processor.queue;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import io.floodgate.processor.testing.Ask;
import io.floodgate.processor.testing.PartitionTest;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.JobCommand.Claimant;
import io.floodgate.topics.command.ProgressReport;
import org.junit.jupiter.api.Test;

/** A run that is about to commit what it has produced: until that is settled, the job does not end as if it had not. */
class CommittingRunTest extends PartitionTest {
    private static Ask commits(String job, String transaction) {
        return progress(
                job,
                new Claimant(null, null),
                ProgressReport.committing("{\"row\":1}".getBytes(UTF_8), transaction.getBytes(UTF_8)));
    }

    private static Ask settled(String job) {
        return progress(job, new Claimant(null, null), ProgressReport.committing("{\"row\":1}".getBytes(UTF_8), null));
    }

    @Test
    void comes_back_when_its_lease_ends_although_no_attempt_is_left() {
        log.receives(enqueue("j1").maxAttempts(1), fetch().lease(ofSeconds(30)), commits("j1", "{\"id\":\"t\"}"));
        log.after(ofSeconds(30)).job("j1").is("available");
        log.restarts().receives(fetch());
        log.replies().shown().shows("checkpoint.transaction.id", "t").showsJson("checkpoint.state", "{'row':1}");
        log.receives(ack("j1")).job("j1").is("completed").hides("checkpoint");
    }

    @Test
    void ends_as_any_other_once_it_is_settled() {
        log.receives(enqueue("j1").maxAttempts(1), fetch().lease(ofSeconds(30)), commits("j1", "{}"), settled("j1"));
        log.after(ofSeconds(30)).job("j1").is("discarded");
    }

    @Test
    void comes_back_when_it_takes_too_long() {
        log.receives(enqueue("j1").maxAttempts(1), fetch().lease(ofMinutes(60)), commits("j1", "{}"));
        log.after(ofMinutes(30)).job("j1").is("available");
    }

    @Test
    void does_not_expire() {
        log.receives(
                enqueue("j1").ttl(ofSeconds(40)),
                fetch().lease(ofSeconds(30)),
                commits("j1", "{}"),
                enqueue("j2").ttl(ofSeconds(40)));
        log.after(ofSeconds(50)).job("j1").is("available");
        log.job("j2").is("discarded");
    }

    @Test
    void is_not_cancelled_until_it_is_settled() {
        log.receives(enqueue("j1"), fetch().lease(ofSeconds(30)), commits("j1", "{}"));
        log.receives(cancel("j1")).rejects(ErrorCode.CONFLICT).with("current_state", "active");
        log.after(ofSeconds(30)).receives(cancel("j1")).rejects(ErrorCode.CONFLICT);
        log.receives(fetch(), settled("j1"), cancel("j1")).job("j1").is("cancelled");
    }
}
