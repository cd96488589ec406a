package io.floodgate.processor.queue;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.testing.Ask;
import io.floodgate.processor.testing.Ids;
import io.floodgate.processor.testing.PartitionTest;
import io.floodgate.processor.testing.TestPartition;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.JobCommand.Claimant;
import io.floodgate.topics.command.JobCommand.DropCheckpoint;
import io.floodgate.topics.command.ProgressReport;
import io.floodgate.topics.queue.QueueConfig;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** OJS progress. */
class ProgressReportTest extends PartitionTest {
    private static final Claimant PUBLIC = new Claimant(null, null);

    private static ProgressReport report(@Nullable Double share, @Nullable String data, @Nullable String checkpoint) {
        byte[] saved = checkpoint == null ? null : ProgressReport.withState(bytes(checkpoint));
        return new ProgressReport(share, null, bytes(data), saved);
    }

    private static byte @Nullable [] bytes(@Nullable String json) {
        return json == null ? null : json.getBytes(UTF_8);
    }

    @Test
    void is_answered_shown_with_the_job_and_reported() {
        // given
        log.receives(enqueue("j1"), fetch().by("w1").lease(ofSeconds(30)));
        // when
        ProgressReport half = new ProgressReport(0.5, "halfway", bytes("{\"row\":14}"), null);
        log.after(ofSeconds(20)).receives(progress("j1", new Claimant("w1", 1L), half));
        // then
        log.replies()
                .shown()
                .shows("state", "active")
                .shows("progress.progress", 0.5)
                .shows("progress.message", "halfway");
        log.event("job.progress")
                .shows("worker_id", "w1")
                .shows("progress", 0.5)
                .shows("progress_percent", 50)
                .showsJson("data", "{'row':14}")
                .shows("visible_until", log.now().plusSeconds(30));
        log.job("j1").showsJson("progress.data", "{'row':14}").shows("progress.updated_at", log.now());
    }

    @Test
    void prolongs_the_lease_as_a_heartbeat_does() {
        log.receives(enqueue("j1"), fetch().lease(ofSeconds(30)));
        log.after(ofSeconds(29)).receives(progress("j1", 0.1));
        log.after(ofSeconds(29)).job("j1").is("active");
        log.after(ofSeconds(1)).job("j1").is("available");
    }

    @Test
    void is_rejected_to_all_but_the_holder_of_the_lease() {
        log.receives(enqueue("j1"), fetch().by("w1"));
        log.receives(progress("j1", new Claimant("w2", null), ProgressReport.of(0.5)))
                .rejects(ErrorCode.CONFLICT);
        log.receives(progress("j1", new Claimant(null, 7L), ProgressReport.of(0.5)))
                .rejects(ErrorCode.CONFLICT);
        log.receives(ack("j1"), progress("j1", 0.5)).rejects(ErrorCode.CONFLICT);
        log.receives(progress("unknown", 0.5)).rejects(ErrorCode.NOT_FOUND);
        log.job("j1").hides("progress");
    }

    @Test
    void comes_too_late_when_the_lease_ends_at_the_same_time() {
        log.receives(enqueue("j1"), fetch().lease(ofSeconds(30)));
        log.sleeps(ofSeconds(30)).receives(progress("j1", 0.5)).rejects(ErrorCode.CONFLICT);
    }

    @Test
    void does_not_go_back() {
        log.receives(enqueue("j1"), fetch(), progress("j1", 0.5), progress("j1", 0.25));
        log.job("j1").shows("progress.progress", 0.5);
    }

    @Test
    void is_brought_to_what_a_share_can_be() {
        log.receives(enqueue("j1"), fetch(), progress("j1", -3)).job("j1").shows("progress.progress", 0.0);
        log.receivesRaw("progress", bytes("{\"job_id\":\"%s\",\"progress\":1.3}".formatted(idOf("j1"))))
                .job("j1")
                .shows("progress.progress", 1.0);
    }

    @Test
    void keeps_what_a_later_report_does_not_mention() {
        log.receives(enqueue("j1"), fetch(), progress("j1", PUBLIC, report(0.5, "{\"a\":1}", null)));
        log.receives(progress("j1", PUBLIC, report(null, "{\"a\":2}", null)));
        log.job("j1").shows("progress.progress", 0.5).showsJson("progress.data", "{'a':2}");
    }

    @Test
    void is_reported_once_a_second_and_stored_every_time() {
        log.receives(enqueue("j1"), fetch().lease(ofSeconds(60)));
        log.receives(progress("j1", 0.1)).emits("job.progress");
        log.sleeps(ofMillis(999)).receives(progress("j1", 0.2)).emits();
        log.job("j1").shows("progress.progress", 0.2);
        log.sleeps(ofMillis(1)).receives(progress("j1", 0.3)).emits("job.progress");
        log.receives(progress("j1", 1)).emits("job.progress");
        log.receives(progress("j1", 1)).emits();
    }

    @Test
    void ends_with_all_when_the_job_is_done() {
        log.receives(enqueue("j1"), fetch(), progress("j1", 0.87), ack("j1"));
        log.job("j1").is("completed").shows("progress.progress", 1.0);
    }

    @Test
    void a_job_that_never_said_anything_shows_none_when_it_is_done() {
        log.receives(enqueue("j1"), fetch(), ack("j1"))
                .job("j1")
                .hides("progress")
                .hides("last_checkpoint");
    }

    @Test
    void stays_when_the_run_fails_and_is_gone_with_the_next_one() {
        log.receives(enqueue("j1").retry("{'initial_interval_ms':1000,'jitter':false}"), fetch());
        log.receives(progress("j1", PUBLIC, report(0.73, null, "{\"row\":14}")), nack("j1"));
        log.job("j1").is("retryable").shows("progress.progress", 0.73);
        log.after(ofSeconds(1)).job("j1").is("available").hides("progress");
        log.receives(fetch());
        log.job("j1").is("active").hides("progress").showsJson("last_checkpoint", "{'row':14}");
    }

    @Test
    void a_checkpoint_is_handed_out_with_the_next_attempt() {
        log.receives(enqueue("j1").retry("{'initial_interval_ms':0,'jitter':false}"), fetch());
        log.receives(progress("j1", PUBLIC, report(null, null, "{\"row\":14}")), nack("j1"));
        log.after(ofSeconds(1)).receives(fetch());
        log.replies().shown().showsJson("last_checkpoint", "{'row':14}");
    }

    @Test
    void checkpoints_are_numbered_and_an_older_one_is_rejected() {
        log.receives(enqueue("j1"), fetch(), checkpoint("{\"row\":1}", null));
        log.job("j1").showsJson("last_checkpoint", "{'row':1}").shows("checkpoint.sequence", 1);
        log.receives(checkpoint("{\"row\":7}", 7L)).job("j1").shows("checkpoint.sequence", 7);
        log.receives(checkpoint("{\"row\":6}", 6L)).rejects(ErrorCode.CONFLICT).with("checkpoint_sequence", 7);
        log.receives(checkpoint("{\"row\":8}", 7L)).rejects(ErrorCode.CONFLICT);
        log.job("j1").showsJson("last_checkpoint", "{'row':7}");
        // Sent again, since its answer was lost.
        log.receives(checkpoint("{\"row\":7}", 7L));
        log.replies().shown().shows("checkpoint.sequence", 7);
        log.receives(checkpoint("{\"row\":9}", null)).job("j1").shows("checkpoint.sequence", 8);
    }

    @Test
    void the_replay_log_beside_the_state_of_a_checkpoint_comes_back_with_the_next_run() {
        String saved = "{\"state\":[1,null],\"metadata\":{\"_replay_log\":\"[1]\"},\"step_index\":1}";
        log.receives(enqueue("j1").retry("{'initial_interval_ms':0,'jitter':false}"), fetch());
        log.receives(progress("j1", PUBLIC, new ProgressReport(null, null, null, bytes(saved))), nack("j1"));
        log.restarts().after(ofSeconds(1)).receives(fetch());
        log.replies()
                .shown()
                .shows("checkpoint.metadata._replay_log", "[1]")
                .showsJson("checkpoint.state", "[1,null]")
                .shows("checkpoint.step_index", 1)
                .shows("checkpoint.sequence", 1)
                .hides("last_checkpoint");
    }

    @Test
    void a_checkpoint_ends_with_its_job() {
        log.receives(enqueue("j1"), fetch(), checkpoint("{\"row\":1}", null), ack("j1"));
        log.job("j1").is("completed").hides("checkpoint").hides("last_checkpoint");
        log.receives(enqueue("j2"), fetch());
        log.receives(progress("j2", PUBLIC, report(null, null, "{}")), cancel("j2"));
        log.job("j2").is("cancelled").hides("checkpoint");
        log.receives(retryJob("j2")).job("j2").is("available").hides("checkpoint");
    }

    @Test
    void a_discarded_job_shows_no_checkpoint_until_an_operator_retries_it() {
        log.receives(enqueue("j1").maxAttempts(1), fetch(), checkpoint("{\"row\":1}", null), nack("j1"));
        log.job("j1").is("discarded").hides("checkpoint").hides("last_checkpoint");
        log.receives(retryJob("j1"), fetch());
        log.replies().shown().showsJson("checkpoint.state", "{'row':1}");
    }

    @Test
    void the_number_of_a_checkpoint_does_not_overflow() {
        log.receives(enqueue("j1"), fetch(), checkpoint("1", Long.MAX_VALUE)).rejects(ErrorCode.INVALID_PAYLOAD);
        log.receives(checkpoint("1", ProgressReport.MAX_SEQUENCE), checkpoint("2", null));
        log.job("j1").shows("checkpoint.sequence", ProgressReport.MAX_SEQUENCE + 1);
    }

    @Test
    void a_checkpoint_that_was_deleted_does_not_come_back() {
        log.receives(enqueue("j1"), fetch(), checkpoint("{\"row\":3}", 3L));
        log.receives(drop("j1")).job("j1").hides("last_checkpoint").hides("checkpoint");
        log.receives(drop("j1")).rejects(ErrorCode.NOT_FOUND);
        log.receives(checkpoint("{\"row\":2}", 2L)).rejects(ErrorCode.CONFLICT);
        log.restarts().receives(checkpoint("{\"row\":4}", null)).job("j1").shows("checkpoint.sequence", 4);
    }

    @Test
    void a_checkpoint_is_deleted_only_by_the_holder_of_the_lease() {
        log.receives(enqueue("j1"), fetch().by("w1"), checkpoint("{\"row\":3}", 3L));
        log.receives(drop("j1", new Claimant("w2", null))).rejects(ErrorCode.CONFLICT);
        log.receives(ack("j1"), drop("j1")).rejects(ErrorCode.CONFLICT);
    }

    private static Ask checkpoint(String state, @Nullable Long sequence) {
        return progress("j1", PUBLIC, ProgressReport.checkpoint(state.getBytes(UTF_8), sequence));
    }

    private static Ask drop(String job) {
        return drop(job, PUBLIC);
    }

    private static Ask drop(String job, Claimant claimant) {
        return ask(new DropCheckpoint(Ids.id(job), claimant));
    }

    @Test
    void a_run_that_was_given_back_leaves_none_to_the_next() {
        log.receives(enqueue("j1"), fetch(), progress("j1", 0.9), nack("j1").requeue(), fetch());
        log.job("j1").is("active").hides("progress");
        log.receives(progress("j1", 0.1)).job("j1").shows("progress.progress", 0.1);
    }

    @Test
    void stays_with_a_cancelled_job_and_is_not_that_of_its_retry() {
        log.receives(enqueue("j1"), fetch(), progress("j1", 0.4), cancel("j1"));
        log.job("j1").is("cancelled").shows("progress.progress", 0.4);
        log.receives(retryJob("j1")).job("j1").is("available").hides("progress");
    }

    @Test
    void outlives_a_restart() {
        log.receives(enqueue("j1"), fetch(), progress("j1", 0.4));
        log.restarts().receives(progress("j1", 0.3)).job("j1").shows("progress.progress", 0.4);
    }

    @Test
    void goes_with_a_job_that_moves_to_another_queue() {
        log.receives(makeQueue("other", QueueConfig.NONE));
        log.receives(enqueue("j1").retry("{'initial_interval_ms':60000}"), fetch());
        log.receives(progress("j1", PUBLIC, report(0.4, null, "{\"row\":14}")), nack("j1"));
        log.receives(move("q", "other")).after(ofSeconds(1));
        log.job("j1")
                .shows("queue", "other")
                .shows("progress.progress", 0.4)
                .showsJson("last_checkpoint", "{'row':14}");
    }

    @Test
    void leaves_no_trace_of_a_job_that_is_deleted() {
        TestPartition other = new TestPartition();
        other.receives(enqueue("j1"), fetch(), ack("j1"), deleteJob("j1"));
        log.receives(enqueue("j1"), fetch(), progress("j1", 0.4), ack("j1"), deleteJob("j1"));
        assertThat(log.state().entriesButPosition().keySet())
                .isEqualTo(other.state().entriesButPosition().keySet());
    }

    @Test
    void what_is_too_large_or_empty_is_rejected() {
        log.receives(enqueue("j1"), fetch());
        String large = "{\"a\":\"%s\"}".formatted("x".repeat(ProgressReport.MAX_BYTES));
        log.receives(progress("j1", PUBLIC, report(null, large, null))).rejects(ErrorCode.INVALID_PAYLOAD);
        String checkpoint = "{\"a\":\"%s\"}".formatted("x".repeat(ProgressReport.CHECKPOINT_BYTES));
        log.receives(progress("j1", PUBLIC, report(null, null, checkpoint))).rejects(ErrorCode.INVALID_PAYLOAD);
        log.receives(progress("j1", PUBLIC, report(null, null, null))).rejects(ErrorCode.INVALID_PAYLOAD);
        for (String value : new String[] {"\"0.5\"", "1e999", "[]"})
            log.receivesRaw("progress", bytes("{\"job_id\":\"%s\",\"progress\":%s}".formatted(idOf("j1"), value)))
                    .rejects(ErrorCode.INVALID_PAYLOAD);
        log.job("j1").hides("progress");
    }

    private static String idOf(String nickname) {
        return io.floodgate.processor.testing.Ids.id(nickname).toString();
    }
}
