package io.floodgate.processor.queue;

import static io.floodgate.topics.command.ErrorCode.CONFLICT;
import static io.floodgate.topics.command.ErrorCode.ENVELOPE_TOO_LARGE;
import static io.floodgate.topics.command.ErrorCode.INVALID_QUEUE;
import static io.floodgate.topics.command.ErrorCode.INVALID_REQUEST;
import static io.floodgate.topics.command.ErrorCode.NOT_FOUND;
import static io.floodgate.topics.command.ErrorCode.QUEUE_FULL;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.Duration.ofDays;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.kernel.Outgoing;
import io.floodgate.processor.testing.Ask;
import io.floodgate.processor.testing.Cluster;
import io.floodgate.processor.testing.Commands;
import io.floodgate.processor.testing.Ids;
import io.floodgate.processor.testing.TestPartition;
import io.floodgate.topics.JobId;
import io.floodgate.topics.command.CommandCodec;
import io.floodgate.topics.command.JobCommand.RetryDead;
import io.floodgate.topics.command.Message.HasCome;
import io.floodgate.topics.command.Message.Lost;
import io.floodgate.topics.command.Message.Transferred;
import io.floodgate.topics.command.Overrides;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.UnreadableCommand;
import io.floodgate.topics.queue.Access;
import io.floodgate.topics.queue.DeadLettering;
import io.floodgate.topics.queue.Overflow;
import io.floodgate.topics.queue.QueueConfig;
import io.floodgate.topics.queue.QueuePolicy;
import io.floodgate.topics.retry.RetryOptions;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Jobs whose last attempt has failed go to a queue of their own. */
class DeadLetterQueueTest extends Commands {
    private static QueuePolicy to(String queue, @Nullable Long most, @Nullable Duration ttl) {
        return QueuePolicy.NONE.with(new DeadLettering(queue, most, ttl));
    }

    private static Ask retry(String job, Overrides changes) {
        return Commands.ask(new RetryDead(Ids.id(job), changes));
    }

    private static Overrides into(String queue) {
        return new Overrides(queue, null, null, null, RetryOptions.NONE);
    }

    @Nested
    class InOneLog {
        private final TestPartition log = new TestPartition();

        private TestPartition dies(String job) {
            return log.receives(
                    enqueue(job).member("args", "[1,\"x\"]"), fetch(), nack(job).retryable(false));
        }

        @Test
        void takes_the_job_with_its_id_its_arguments_and_its_errors() {
            log.receives(decide("q", to("dlq", null, null)));
            dies("j1")
                    .emits(
                            "job.enqueued",
                            "job.started",
                            "job.failed",
                            "job.discarded",
                            "dead_letter.added",
                            "queue.created",
                            "job.available");
            log.replies()
                    .shown()
                    .is("discarded")
                    .shows("dead_letter_queue", "dlq")
                    .shows("queue", "q");
            log.job("j1")
                    .is("available")
                    .shows("queue", "dlq")
                    .shows("attempt", 0)
                    .showsJson("args", "[1,'x']")
                    .shows("error.type", "handler_error")
                    .shows("errors.0.attempt", 1)
                    .shows("dead_letter.original_queue", "q")
                    .shows("dead_letter.reason", "handler_error")
                    .shows("dead_letter.at", log.now())
                    .hides("completed_at", "discarded_at", "dead_letter_queue");
            log.status("q").shows("depth", 0).shows("discarded", 0).shows("dead", 0);
            log.status("dlq").shows("available", 1).shows("dead", 1);
        }

        /** It is kept for as long as letters are, to be looked at, whatever its time to live was. */
        @Test
        void outlives_the_jobs_time_to_live() {
            log.receives(decide("q", to("dlq", null, ofDays(30))));
            log.receives(enqueue("late").ttl(ofSeconds(2)).maxAttempts(1), fetch());
            log.after(ofSeconds(3)).receives(nack("late"));
            log.job("late").is("available").shows("queue", "dlq").shows("error.type", "handler_error");
            log.receives(retryDead("late")).rejects(CONFLICT);
            log.receives(enqueue("soon").ttl(ofMinutes(60)).maxAttempts(1), fetch(), nack("soon"));
            log.restarts().after(ofDays(1));
            log.job("soon").is("available").shows("error.type", "handler_error");
            log.receives(fetch("dlq").count(5)).replies().jobs("late", "soon");
        }

        @Test
        void takes_any_number_of_letters_if_the_number_is_zero() {
            log.receives(decide("q", to("dlq", 0L, null)));
            dies("j1");
            dies("j2");
            log.status("dlq").shows("available", 2);
        }

        @Test
        void is_not_for_jobs_that_are_discarded_in_another_way() {
            log.receives(decide("q", to("dlq", null, null)));
            log.receives(
                    enqueue("plain").retry("{'max_attempts':1,'on_exhaustion':'discard'}"), fetch(), nack("plain"));
            log.receives(enqueue("handler"), fetch(), nack("handler").code("DISCARD"));
            log.receives(enqueue("stale").ttl(ofSeconds(1))).after(ofSeconds(1));
            for (String job : List.of("plain", "handler", "stale"))
                log.job(job).is("discarded").shows("queue", "q");
        }

        @Test
        void takes_those_whose_worker_was_lost_for_the_last_time() {
            log.receives(decide("q", to("dlq", null, null)));
            log.receives(enqueue("j1").maxAttempts(1).visibility(ofSeconds(5)), fetch());
            log.after(ofSeconds(5)).job("j1").shows("queue", "dlq").shows("dead_letter.reason", "visibility_timeout");
        }

        @Test
        void is_a_queue_like_any_other_for_its_workers() {
            log.receives(decide("q", to("dlq", null, null)));
            dies("j1")
                    .receives(fetch("dlq"), ack("j1"))
                    .replies()
                    .shown()
                    .is("completed")
                    .shows("attempt", 1);
            log.status("dlq").shows("completed", 1).shows("dead", 0);
        }

        @Test
        void has_no_queue_of_dead_letters_for_those_that_die_there() {
            log.receives(decide("q", to("dlq", null, null)), decide("dlq", to("q", null, null)));
            dies("j1").receives(fetch("dlq"), nack("j1").retryable(false));
            log.job("j1").is("discarded").shows("queue", "dlq").shows("dead_letter.original_queue", "q");
            log.status("dlq").shows("discarded", 1).shows("dead", 1);
        }

        @Test
        void of_all_queues_is_not_its_own() {
            log.receives(decide(QueueConfig.DEFAULT, to("dlq", null, null)));
            log.receives(enqueue("j1").to("dlq"), fetch("dlq"), nack("j1").retryable(false));
            log.job("j1").is("discarded").shows("queue", "dlq").hides("dead_letter");
        }

        @Test
        void that_is_full_leaves_them_where_they_were_and_says_so() {
            log.receives(decide("q", to("dlq", null, null)), bound("dlq", new QueueConfig(1L, null, null, null)));
            log.receives(enqueue("first").to("dlq"));
            dies("j1");
            log.event("floodgate.dead_letter_stayed")
                    .shows("dead_letter_queue", "dlq")
                    .shows("code", "QUEUE_FULL")
                    .shows("queue", "q");
            log.job("j1").is("discarded").shows("queue", "q").hides("dead_letter_queue");
            log.status("q").shows("discarded", 1).shows("dead", 1);
            log.status("dlq").shows("depth", 1);
            log.receives(listDead("q", 10, null)).replies().shown().shows("total", 1);
            log.after(ofDays(30).plusMinutes(1));
            assertThat(log.knows("j1")).isFalse();
        }

        @Test
        void that_drops_its_oldest_makes_room_for_them() {
            log.receives(
                    decide("q", to("dlq", null, null)),
                    bound("dlq", new QueueConfig(1L, null, Overflow.DROP_OLDEST, null)));
            dies("j1");
            dies("j2");
            log.job("j2").is("available").shows("queue", "dlq");
            log.job("j1").is("discarded").shows("error.type", "overflow");
            log.status("dlq").shows("depth", 1);
        }

        @Test
        void takes_so_many_letters_as_the_queue_sends_there() {
            log.receives(decide("q", to("dlq", 2L, null)));
            for (String job : List.of("j1", "j2", "j3")) dies(job);
            log.status("dlq").shows("depth", 2);
            log.job("j3").is("discarded").shows("queue", "q");
        }

        @Test
        void takes_only_types_that_it_allows() {
            log.receives(
                    decide("q", to("dlq", null, null)),
                    decide("dlq", QueuePolicy.NONE.with(new Access(List.of("payment.*"), null))));
            dies("j1");
            log.event("floodgate.dead_letter_stayed").shows("code", "JOB_TYPE_NOT_ALLOWED");
            log.job("j1").is("discarded").shows("queue", "q");
        }

        @Test
        void keeps_them_as_long_as_the_queue_says_that_they_come_from() {
            log.receives(decide("q", to("dlq", null, ofDays(2))));
            dies("j1").after(ofDays(2).minusMillis(1));
            log.job("j1").is("available");
            log.after(ofMillis(1)).emits("dead_letter.pruned");
            log.after(ofMinutes(1));
            assertThat(log.knows("j1")).isFalse();
            log.status("dlq").shows("depth", 0).shows("discarded", 0);
        }

        @Test
        void keeps_them_for_thirty_days_if_no_client_says_otherwise() {
            log.receives(decide("q", to("dlq", null, null)));
            dies("j1").job("j1").shows("dead_letter.kept_until", log.now().plus(ofDays(30)));
        }

        @Test
        void does_not_take_away_what_a_client_is_working_on() {
            log.receives(decide("q", to("dlq", null, ofDays(1))));
            dies("j1").sleeps(ofDays(1).minusSeconds(1)).receives(fetch("dlq").lease(ofMinutes(10)));
            log.after(ofMinutes(5)).job("j1").is("active");
        }

        @Test
        void lists_them_among_the_dead_letters() {
            log.receives(decide("q", to("dlq", null, null)));
            dies("j1");
            log.receives(listDead(null, 10, null)).replies().shown().shows("total", 1);
            log.replies().line(1).isJob("j1").is("available").shows("queue", "dlq");
            log.receives(listDead("q", 10, null)).replies().shown().shows("total", 0);
            log.receives(fetch("dlq"), listDead("dlq", 10, null))
                    .replies()
                    .shown()
                    .shows("total", 0);
            log.receives(nack("j1").requeue(), listDead("dlq", 10, null))
                    .replies()
                    .shown()
                    .shows("total", 1);
        }

        @Test
        void gives_one_back_to_the_queue_it_died_in() {
            log.receives(decide("q", to("dlq", null, null)));
            dies("j1").sleeps(ofSeconds(9)).receives(retryDead("j1"));
            log.replies()
                    .shown()
                    .is("available")
                    .shows("queue", "q")
                    .shows("attempt", 0)
                    .shows("re_enqueued_at", log.now())
                    .hides("dead_letter");
            log.job("j1").shows("errors.0.attempt", 1);
            log.status("dlq").shows("depth", 0).shows("dead", 0);
            log.receives(fetch(), nack("j1").retryable(false));
            log.job("j1").shows("queue", "dlq").shows("errors.1.attempt", 1);
        }

        @Test
        void keeps_one_for_which_there_is_no_room_where_it_died() {
            log.receives(decide("q", to("dlq", null, null)));
            dies("j1").receives(bound("q", new QueueConfig(1L, null, null, null)), enqueue("j2"), retryDead("j1"));
            log.rejects(QUEUE_FULL);
            log.job("j1").is("available").shows("queue", "dlq");
            log.receives(fetch("dlq")).replies().jobs("j1");
        }

        @Test
        void a_letter_can_be_deleted_or_cancelled() {
            log.receives(decide("q", to("dlq", null, null)));
            dies("j1").receives(deleteDead("j1")).replies().shown().shows("deleted", true);
            assertThat(log.knows("j1")).isFalse();
            dies("j2").receives(cancel("j2")).replies().shown().is("cancelled");
            log.status("dlq").shows("depth", 0).shows("dead", 0);
        }

        @Test
        void only_letters_are_retried_while_they_are_available() {
            log.receives(enqueue("j1"), retryDead("j1")).rejects(CONFLICT);
            log.receives(decide("q", to("dlq", null, null)), cancel("j1"));
            dies("j2").receives(fetch("dlq"), retryDead("j2")).rejects(CONFLICT);
        }

        @Test
        void a_retry_may_change_what_the_job_is() {
            log.receives(
                    enqueue("j1").member("meta", "{\"a\":1,\"b\":2}"),
                    fetch(),
                    nack("j1").retryable(false));
            log.receives(retry(
                    "j1",
                    new Overrides(
                            "other",
                            7,
                            "[9]".getBytes(UTF_8),
                            "{\"b\":3,\"by\":\"me\"}".getBytes(UTF_8),
                            new RetryOptions(1, null, null, null, null, null, null, null))));
            log.replies().shown().is("available").shows("queue", "other");
            log.job("j1")
                    .showsJson("args", "[9]")
                    .showsJson("meta", "{'a':1,'b':3,'by':'me'}")
                    .shows("priority", 7)
                    .shows("max_attempts", 1)
                    .shows("type", "test.job")
                    .shows("errors.0.attempt", 1);
            log.status("q").shows("discarded", 0).shows("dead", 0);
            log.status("other").shows("available", 1);
        }

        @Test
        void a_retry_with_changes_stays_in_its_queue_if_no_other_is_named() {
            log.receives(enqueue("j1"), fetch(), nack("j1").retryable(false));
            long before = log.job("j1").bytes().length;
            log.receives(retry("j1", new Overrides(null, null, "[1,2,3]".getBytes(UTF_8), null, RetryOptions.NONE)));
            log.replies().shown().is("available").shows("queue", "q").showsJson("args", "[1,2,3]");
            assertThat(before).isPositive();
            log.receives(fetch(), ack("j1")).replies().shown().is("completed");
        }

        @Test
        void a_retry_that_makes_no_sense_changes_nothing() {
            log.receives(enqueue("j1"), fetch(), nack("j1").retryable(false));
            log.receives(retry("j1", into("No Queue"))).rejects(INVALID_QUEUE);
            byte[] large = ("[\"" + "x".repeat(1024 * 1024) + "\"]").getBytes(UTF_8);
            log.receives(retry("j1", new Overrides(null, null, large, null, RetryOptions.NONE)))
                    .rejects(ENVELOPE_TOO_LARGE);
            log.receives(retry(
                            "j1",
                            new Overrides(
                                    null, null, null, "{\"tenant_id\":\"other\"}".getBytes(UTF_8), RetryOptions.NONE)))
                    .rejects(INVALID_REQUEST);
            log.job("j1").is("discarded");
        }

        @Test
        void survives_a_restart() {
            log.receives(decide("q", to("dlq", null, ofDays(1))));
            dies("j1").restarts().job("j1").shows("dead_letter.original_queue", "q");
            log.after(ofDays(1).plusMinutes(1));
            assertThat(log.knows("j1")).isFalse();
        }
    }

    @Nested
    class OverLogs {
        private final Cluster cluster = new Cluster(4);
        private final String source = queue(0);
        private final String target = queue(1);
        /** Made for the queue it is enqueued to, or for another one. */
        private String job = "";

        private String queue(int log) {
            return cluster.queue(log, "queue");
        }

        private void dies(int home) {
            job = nicknameAt(home);
            cluster.receives(0, decide(source, to(target, null, null)));
            cluster.receives(home, enqueue(job).to(source)).delivers();
            cluster.receives(0, fetch(source), nack(job).retryable(false));
        }

        private String nicknameAt(int home) {
            for (int i = 0; ; i++) {
                JobId id = Ids.id("job" + i);
                if (cluster.routing().ofJob(id).equals(cluster.log(home).id())) return "job" + i;
            }
        }

        private void isShownEverywhere(int home, String state, String queue, int at) {
            cluster.receives(home, getJob(job).as("reader")).delivers();
            cluster.log(at).repliesTo("reader").shown().is(state).shows("queue", queue);
        }

        private void leavesNothing(int home) {
            cluster.receives(1, fetch(target), ack(job)).delivers();
            cluster.after(ofDays(8)).delivers();
            for (int i = 0; i < 4; i++) assertThat(cluster.log(i).knows(job)).isFalse();
            cluster.receives(home, enqueue(job).to(source)).delivers();
            cluster.log(0).status(source).shows("depth", 1);
        }

        @Test
        void takes_the_job_from_a_queue_in_another_log_wherever_its_id_is_kept() {
            for (int home = 0; home < 3; home++) {
                OverLogs each = new OverLogs();
                each.dies(home);
                each.cluster.log(0).job(each.job).is("discarded").shows("dead_letter_queue", each.target);
                each.cluster.delivers();
                each.isShownEverywhere(home, "available", each.target, 1);
                each.cluster
                        .log(0)
                        .status(each.source)
                        .shows("depth", 0)
                        .shows("discarded", 0)
                        .shows("dead", 0);
                each.cluster.log(1).status(each.target).shows("available", 1).shows("dead", 1);
                each.leavesNothing(home);
            }
        }

        @Test
        void is_in_one_queue_at_any_time_and_stays_as_it_was_on_the_way() {
            dies(2);
            cluster.receives(0, retryDead(job)).log(0).rejects(CONFLICT);
            cluster.receives(0, deleteDead(job)).log(0).rejects(CONFLICT);
            cluster.receives(0, listDead(source, 10, null))
                    .log(0)
                    .replies()
                    .shown()
                    .shows("total", 0);
            while (cluster.underway() > 0) {
                cluster.deliversOne();
                assertThat(depth(1, target) > 0 || cluster.log(0).status(source).number("discarded") > 0)
                        .isTrue();
            }
            isShownEverywhere(2, "available", target, 1);
        }

        private long depth(int log, String queue) {
            return cluster.log(log).engine().queueNames().contains(queue)
                    ? cluster.log(log).status(queue).number("depth")
                    : 0;
        }

        @Test
        void that_is_full_in_another_log_leaves_it_where_it_was() {
            cluster.receives(
                    1,
                    bound(target, new QueueConfig(1L, null, null, null)),
                    enqueue("first").to(target));
            cluster.delivers();
            dies(2);
            cluster.delivers();
            isShownEverywhere(2, "discarded", source, 0);
            cluster.log(0).status(source).shows("dead", 1);
            cluster.log(1).status(target).shows("depth", 1);
            cluster.receives(2, retryDead(job).as("operator")).delivers();
            cluster.log(0).repliesTo("operator").shown().is("available").shows("queue", source);
        }

        @Test
        void gives_it_back_to_another_log() {
            dies(2);
            cluster.delivers();
            cluster.receives(2, retryDead(job).as("operator")).delivers();
            cluster.log(0).repliesTo("operator").shown().is("available").shows("queue", source);
            isShownEverywhere(2, "available", source, 0);
            cluster.log(1).status(target).shows("depth", 0).shows("dead", 0);
            cluster.receives(0, fetch(source), ack(job));
            cluster.log(0).replies().shown().is("completed");
        }

        @Test
        void a_rejection_of_another_log_is_informed_and_leaves_the_letter() {
            dies(2);
            cluster.delivers();
            cluster.receives(
                    0,
                    bound(source, new QueueConfig(1L, null, null, null)),
                    enqueue("other").to(source));
            cluster.delivers();
            cluster.receives(2, retryDead(job).as("operator")).delivers();
            cluster.log(0).repliesTo("operator").rejected(QUEUE_FULL);
            isShownEverywhere(2, "available", target, 1);
            cluster.receives(1, fetch(target)).log(1).replies().jobs(job);
        }

        @Test
        void whose_message_was_lost_is_a_dead_letter_where_it_was() throws UnreadableCommand {
            dies(0);
            TestPartition from = cluster.log(0);
            TestPartition to = cluster.log(1);
            long lost = from.outgoing().getLast().sequence();
            // What was under way never arrives; the receiver has noticed, and says so.
            from.receives(to.id(), 1, new Lost(to.id(), lost, lost), null);
            from.after(ofMillis(1));
            assertThat(from.outgoing().getLast().op()).isEqualTo("has-come");
            to.receives(from.id(), lost, new HasCome(from.id(), Ids.id(job), target), null);
            from.receives(to.id(), 2, new Transferred(Ids.id(job), target, rejectionOf(to), null), null);
            from.job(job).is("discarded").hides("dead_letter_queue");
            from.status(source).shows("dead", 1);
        }

        private static Rejection rejectionOf(TestPartition log) throws UnreadableCommand {
            Outgoing answer = log.outgoing().getLast();
            Rejection rejection = ((Transferred) CommandCodec.decode(answer.op(), answer.value())).rejection();
            assertThat(rejection).isNotNull();
            return rejection;
        }

        @Test
        void an_unknown_job_is_not_found_anywhere() {
            int home = cluster.routing().ofJob(Ids.id("unknown")).partition();
            cluster.receives(home, retry("unknown", into(target)));
            cluster.log(home).rejects(NOT_FOUND);
        }
    }
}
