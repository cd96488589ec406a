package io.floodgate.processor.limit;

import static java.time.Duration.ofDays;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.testing.Cluster;
import io.floodgate.processor.testing.Commands;
import io.floodgate.processor.testing.Ids;
import io.floodgate.processor.testing.PartitionTest;
import io.floodgate.processor.testing.Shown;
import io.floodgate.processor.testing.TestPartition;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.ErrorReport;
import io.floodgate.topics.command.Identity;
import io.floodgate.topics.command.JobCommand.SetPriority;
import io.floodgate.topics.command.LimitCommand.CountLimited;
import io.floodgate.topics.command.LimitCommand.EndOverride;
import io.floodgate.topics.command.LimitCommand.GetLimit;
import io.floodgate.topics.command.LimitCommand.OverrideLimit;
import io.floodgate.topics.limit.Allowance;
import io.floodgate.topics.limit.Pace;
import io.floodgate.topics.queue.Deletion;
import io.floodgate.topics.queue.QueueConfig;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Limits of keys and queues where both live in one partition. */
class RateLimitTest extends PartitionTest {
    private static final String ONE_AT_A_TIME = "{'key':'k','concurrency':1}";

    private static Commands.Job job(String name, String limit) {
        return enqueue(name).member("rate_limit", limit.replace('\'', '"'));
    }

    /** Jobs named j1, j2, …, all with this limit. */
    private void jobs(int count, String limit) {
        for (int i = 1; i <= count; i++) log.receives(job("j" + i, limit));
    }

    private List<Shown> fetched(int most) {
        log.receives(fetch().count(most));
        return log.replies().lines();
    }

    private void fetches(String... names) {
        log.receives(fetch().count(100));
        log.replies().jobs(names);
    }

    private Shown limit(String key) {
        return log.receives(ask(new GetLimit(key))).replies().shown();
    }

    private void nothingLeaks(String key) {
        limit(key).shows("outstanding", 0);
        log.receives(ask(new CountLimited(List.of(key))));
        assertThat(log.replies().lines().stream().skip(1)).allSatisfy(line -> line.shows("active", 0));
    }

    private static Pace pace(long starts, Duration period) {
        return new Pace(starts, period);
    }

    private static QueueConfig limited(@Nullable Long concurrency, @Nullable Pace rate, @Nullable Pace throttle) {
        return QueueConfig.of(new Allowance(concurrency, rate, throttle));
    }

    @Nested
    class Examples_of_the_specification {
        @Test
        void a_concurrency_limit_on_an_external_api() {
            jobs(8, "{'key':'payment-api','concurrency':5}");
            assertThat(fetched(10)).hasSize(5);
            assertThat(fetched(10)).isEmpty();
            log.receives(ack("j1"), ack("j3"));
            fetches("j6", "j7");
        }

        @Test
        void a_window_for_sending_mail() {
            for (int i = 0; i < 1_010; i++)
                log.unaudited()
                        .receives(job("m" + i, "{'key':'email-provider','rate':{'limit':1000,'period':'PT1H'}}")
                                .timeout(ofHours(9))
                                .visibility(ofHours(9)));
            int started = 0;
            for (int i = 0; i < 12; i++) started += fetched(100).size();
            assertThat(started).isEqualTo(1_000);
            limit("email-provider").shows("rate.current_count", 1_000);
            log.after(ofMinutes(59));
            assertThat(fetched(100)).isEmpty();
            log.after(ofMinutes(1));
            assertThat(fetched(100)).hasSize(10);
        }

        @Test
        void a_tenants_concurrency_with_a_throttle() {
            jobs(6, "{'key':'tenant:acme-corp:reports','concurrency':3,'throttle':{'limit':1,'period':'PT1S'}}");
            for (int second = 0; second < 3; second++) {
                assertThat(fetched(10)).hasSize(1);
                assertThat(fetched(10)).isEmpty();
                log.after(ofSeconds(1));
            }
            assertThat(fetched(10)).isEmpty();
            log.receives(ack("j1"));
            fetches("j4");
        }

        @Test
        void a_lossy_limit_for_notifications_that_do_not_matter() {
            jobs(5, "{'key':'push-notifications','rate':{'limit':2,'period':'PT1M'},'on_limit':'drop'}");
            fetches("j1", "j2");
            log.receives(fetch().count(10));
            for (String dropped : List.of("j3", "j4", "j5"))
                log.job(dropped).shows("state", "discarded").shows("error.type", "rate_limited");
            assertThat(log.status("q").number("dead")).isZero();
        }

        @Test
        void limits_of_all_kinds_together() {
            jobs(
                    30,
                    "{'key':'api.partner.com','concurrency':10,'rate':{'limit':12,'period':'PT1M'},'throttle':{'limit':10,'period':'PT1S'},'on_limit':'wait'}");
            for (int i = 1; i <= 10; i++) {
                fetches("j" + i);
                log.after(ofMillis(100));
            }
            fetches();
            log.job("j11").shows("limited_by.strategy", "concurrency").shows("state", "available");
            log.receives(ack("j1"), ack("j2"), ack("j3"));
            fetches("j11");
            log.after(ofMillis(100));
            fetches("j12");
            log.after(ofMillis(100));
            fetches();
            log.job("j13")
                    .shows("limited_by.strategy", "rate")
                    .shows("limited_by.until", TestPartition.START.plusSeconds(60));
        }
    }

    @Nested
    class Concurrency {
        @ParameterizedTest
        @ValueSource(
                strings = {"ack", "nack", "requeue", "cancel", "discard", "lease", "timeout", "worker", "withdraw"})
        void a_permit_goes_back_however_a_run_ends(String end) {
            log.receives(beat("w"), job("j1", ONE_AT_A_TIME).timeout(ofMinutes(2)), job("j2", ONE_AT_A_TIME));
            log.receives(fetch().lease(end.equals("timeout") ? ofMinutes(9) : ofMinutes(1))
                    .by("w")
                    .as("asker"));
            log.repliesTo("asker").jobs("j1");
            log.receives(fetch().waiting(ofHours(1)).as("other")).keepsWaiting("other");
            switch (end) {
                case "ack" -> log.receives(ack("j1"));
                case "nack" -> log.receives(nack("j1"));
                case "requeue" -> log.receives(nack("j1").requeue());
                case "cancel" -> log.receives(cancel("j1"));
                case "discard" -> log.receives(nack("j1").code("DISCARD"));
                case "worker" -> log.receives(leave("w"));
                case "withdraw" -> log.receives(Commands.withdraw("asker", log.lastNumber() - 1));
                default -> log.after(ofSeconds(end.equals("timeout") ? 125 : 65));
            }
            assertThat(log.repliesTo("other").lines()).hasSize(1);
            limit("k").shows("outstanding", 1);
        }

        @Test
        void what_is_held_back_leaves_others_alone_and_keeps_its_place() {
            log.receives(job("j1", ONE_AT_A_TIME), job("j2", ONE_AT_A_TIME).priority(9), enqueue("free"));
            fetches("j2", "free");
            log.job("j1").shows("state", "available").shows("limited_by.key", "k");
            log.receives(enqueue("later"), ack("j2"));
            fetches("j1", "later");
        }

        @Test
        void the_eligible_come_in_the_order_of_one_line() {
            log.receives(
                    job("a1", "{'key':'a','concurrency':2}"),
                    enqueue("f1"),
                    job("b1", "{'key':'b','concurrency':1}"),
                    job("a2", "{'key':'a','concurrency':2}"),
                    job("b2", "{'key':'b','concurrency':1}"),
                    job("a3", "{'key':'a','concurrency':2}"),
                    enqueue("f2"),
                    job("urgent", "{'key':'b','concurrency':1}").priority(1));
            fetches("urgent", "a1", "f1", "a2", "f2");
            log.receives(ack("urgent"), ack("a2"));
            fetches("b1", "a3");
        }

        @Test
        void zero_stops_a_key_and_the_newest_word_counts() {
            jobs(1, "{'key':'k','concurrency':0}");
            log.receives(fetch().waiting(ofHours(1)).as("worker")).keepsWaiting("worker");
            log.receives(job("j2", "{'key':'k','concurrency':2}"));
            log.repliesTo("worker").jobs("j1");
            fetches("j2");
        }

        @Test
        void without_a_key_the_queues_jobs_share_a_limit() {
            jobs(2, "{'max_per_second':1}");
            fetches("j1");
            fetches();
            log.after(ofMillis(1_500));
            fetches("j2");
            assertThat(limit("queue:q").number("rate.limit")).isEqualTo(1);
        }

        @Test
        void a_key_is_shared_by_queues() {
            log.receives(
                    job("j1", ONE_AT_A_TIME).to("a"), job("j2", ONE_AT_A_TIME).to("b"));
            log.receives(fetch("a", "b").count(10)).replies().jobs("j1");
            log.receives(fetch("b").waiting(ofHours(1)).as("worker")).receives(ack("j1"));
            log.repliesTo("worker").jobs("j2");
        }

        @Test
        void a_job_that_is_retried_takes_a_permit_like_any_other() {
            log.receives(
                    job("j1", ONE_AT_A_TIME).retry("{'initial_interval':'PT1S','jitter':false}"),
                    job("j2", ONE_AT_A_TIME));
            fetches("j1");
            log.receives(nack("j1"));
            fetches("j2");
            log.after(ofSeconds(2));
            fetches();
            log.receives(ack("j2"));
            fetches("j1");
        }

        @Test
        void is_kept_by_a_run_that_is_spared_after_an_outage() {
            jobs(2, ONE_AT_A_TIME);
            log.receives(fetch().lease(ofMinutes(1))).replies().jobs("j1");
            log.sleeps(ofSeconds(70));
            fetches();
            log.job("j1").shows("state", "active");
            limit("k").shows("outstanding", 1);
            log.receives(ack("j1"));
            fetches("j2");
        }

        @Test
        void is_kept_by_a_run_whose_priority_is_changed() {
            jobs(2, ONE_AT_A_TIME);
            fetches("j1");
            log.receives(ask(new SetPriority(Ids.id("j1"), 9)));
            fetches();
            limit("k").shows("outstanding", 1);
        }

        @Test
        void survives_a_restart() {
            jobs(3, ONE_AT_A_TIME);
            fetches("j1");
            log.receives(fetch().waiting(ofHours(1)).as("worker"));
            log.restarts().receives(ack("j1"));
            log.repliesTo("worker").jobs("j2");
        }

        @Test
        void a_dead_letter_that_comes_back_is_limited_as_before() {
            log.receives(job("dead", ONE_AT_A_TIME).maxAttempts(1));
            fetches("dead");
            log.receives(nack("dead")).after(ofHours(1));
            log.receives(ask(new GetLimit("k"))).rejects(ErrorCode.NOT_FOUND);
            log.receives(retryDead("dead"), job("j1", "{'key':'k','concurrency':1}"));
            fetches("dead");
        }

        @Test
        void a_reset_leaves_nothing() {
            jobs(3, ONE_AT_A_TIME);
            fetches("j1");
            log.receives(reset()).after(ofSeconds(1));
            log.receives(ask(new GetLimit("k"))).rejects(ErrorCode.NOT_FOUND);
            jobs(2, ONE_AT_A_TIME);
            fetches("j1");
        }

        @Test
        void what_no_client_uses_any_more_is_forgotten() {
            jobs(1, ONE_AT_A_TIME);
            fetches("j1");
            log.receives(ack("j1"));
            nothingLeaks("k");
            log.after(ofMinutes(5)).receives(ask(new GetLimit("k"))).rejects(ErrorCode.NOT_FOUND);
        }
    }

    @Nested
    class Windows {
        @Test
        void slide() {
            jobs(10, "{'key':'k','rate':{'limit':2,'period':'PT1S'}}");
            fetches("j1", "j2");
            log.after(ofMillis(900));
            fetches();
            log.after(ofMillis(100));
            fetches("j3", "j4");
            log.after(ofMillis(999));
            fetches();
        }

        @Test
        void wake_a_client_that_waits() {
            jobs(3, "{'key':'k','rate':{'limit':1,'period':'PT1S'}}");
            fetches("j1");
            log.receives(fetch().waiting(ofHours(1)).as("worker"))
                    .after(ofMillis(999))
                    .keepsWaiting("worker");
            log.after(ofMillis(1));
            log.repliesTo("worker").jobs("j2");
        }

        @Test
        void give_nothing_away_when_no_client_came_in_time() {
            jobs(3, "{'key':'k','rate':{'limit':1,'period':'PT1S'}}");
            fetches("j1");
            fetches();
            log.after(ofMinutes(1));
            fetches("j2");
            fetches();
        }
    }

    @Nested
    class What_cannot_start {
        @Test
        void is_dropped_when_a_worker_comes_upon_it_whatever_else_there_is() {
            jobs(2, "{'key':'k','rate':{'limit':1,'period':'PT1H'},'on_limit':'drop'}");
            log.receives(enqueue("free1"), enqueue("free2"), enqueue("free3"));
            log.receives(job("later", "{'key':'k','rate':{'limit':1,'period':'PT1H'},'on_limit':'drop'}"));
            log.receives(fetch()).replies().jobs("j1");
            log.receives(fetch()).replies().jobs("free1");
            log.event("rate_limit.dropped")
                    .shows("key", "k")
                    .shows("queue", "q")
                    .shows("job_type", "test.job")
                    .isJob("j2");
            log.job("j2").shows("state", "discarded");
            log.job("later").shows("state", "available");
        }

        @Test
        void is_put_off_likewise() {
            jobs(2, "{'key':'k','rate':{'limit':1,'period':'PT10S'},'on_limit':'reschedule'}");
            log.receives(enqueue("free1"), enqueue("free2"));
            log.receives(fetch()).replies().jobs("j1");
            log.receives(fetch()).replies().jobs("free1");
            log.job("j2").shows("state", "scheduled").shows("scheduled_at", TestPartition.START.plusSeconds(10));
        }

        @Test
        void is_dropped_though_its_queue_has_reached_a_limit_of_its_own() {
            log.receives(bound("q", limited(2L, null, null)), enqueue("free1"), enqueue("free2"));
            jobs(2, "{'key':'k','rate':{'limit':1,'period':'PT1H'},'on_limit':'drop'}");
            fetches("free1", "free2");
            log.receives(ack("free1"));
            fetches("j1");
            log.job("j2").shows("state", "available");
            fetches();
            log.job("j2").shows("state", "available");
            log.receives(ack("j1"));
            fetches();
            log.job("j2").shows("state", "discarded");
        }

        @Test
        void is_put_off_until_its_turn_and_then_waits_at_its_old_place() {
            jobs(4, "{'key':'k','rate':{'limit':1,'period':'PT10S'},'on_limit':'reschedule'}");
            fetches("j1");
            fetches();
            log.job("j2").shows("state", "scheduled").shows("scheduled_at", TestPartition.START.plusSeconds(10));
            log.job("j3").shows("state", "scheduled").shows("scheduled_at", TestPartition.START.plusSeconds(20));
            log.receives(job("new", "{'key':'k','rate':{'limit':1,'period':'PT10S'}}"));
            log.after(ofSeconds(20));
            fetches("j2");
            log.after(ofSeconds(10));
            fetches("j3");
            log.job("j4").shows("state", "available");
        }

        @Test
        void is_dropped_in_slices() {
            log.unaudited();
            jobs(450, "{'key':'k','concurrency':1,'on_limit':'drop'}");
            log.receives(fetch().count(1)).replies().jobs("j1");
            log.receives(fetch().waiting(ofHours(1)).as("worker"));
            assertThat(log.events().size()).isBetween(200, 500);
            log.after(ofMillis(10));
            assertThat(log.status("q").number("discarded")).isEqualTo(449);
            log.receives(ack("j1"), job("next", "{'key':'k','concurrency':1,'on_limit':'drop'}"));
            log.repliesTo("worker").jobs("next");
        }

        @Test
        void is_announced_once_until_one_may_start() {
            jobs(3, ONE_AT_A_TIME);
            fetches("j1");
            log.event("rate_limit.exceeded")
                    .shows("key", "k")
                    .shows("strategy", "concurrency")
                    .shows("limit", 1)
                    .shows("current", 1);
            log.receives(fetch(), fetch(), fetch());
            log.emits();
            log.receives(ack("j1"));
            log.event("rate_limit.released")
                    .shows("key", "k")
                    .shows("strategy", "concurrency")
                    .shows("job_id", Ids.id("j2").toString());
            fetches("j2");
        }
    }

    @Nested
    class Overrides {
        @Test
        void go_before_what_jobs_say_until_they_end() {
            jobs(5, "{'key':'k','concurrency':2}");
            Instant until = TestPartition.START.plusSeconds(60);
            log.receives(ask(new OverrideLimit("k", new Allowance(0L, null, null), until))
                    .sentBy(new Identity("ops", null, null)));
            log.replies()
                    .shown()
                    .shows("concurrency", 0)
                    .shows("override.expires_at", until)
                    .shows("override.by", "ops")
                    .shows("override.at", TestPartition.START);
            fetches();
            log.receives(job("j6", "{'key':'k','concurrency':3}"))
                    .receives(fetch().waiting(ofHours(1)).as("worker"));
            log.after(ofSeconds(59)).keepsWaiting("worker");
            log.after(ofSeconds(1));
            log.repliesTo("worker").jobs("j1");
            limit("k").shows("concurrency", 3);
        }

        @Test
        void are_ended_by_hand() {
            log.receives(ask(new OverrideLimit("k", new Allowance(0L, null, null), null)));
            jobs(1, ONE_AT_A_TIME);
            fetches();
            log.receives(ask(new EndOverride("k")));
            fetches("j1");
            log.receives(ask(new EndOverride("unknown"))).rejects(ErrorCode.NOT_FOUND);
        }

        @Test
        void that_have_ended_are_rejected() {
            log.receives(ask(new OverrideLimit("k", Allowance.UNLIMITED, TestPartition.START)))
                    .rejects(ErrorCode.INVALID_REQUEST)
                    .with("field", "expires_at");
        }

        @Test
        void a_worker_that_was_directed_to_slow_down_freezes_its_key() {
            jobs(3, "{'key':'k','concurrency':5}");
            log.receives(fetch()).replies().jobs("j1");
            Instant until = TestPartition.START.plusSeconds(30);
            log.receives(nack("j1")
                    .error(new ErrorReport(
                            "RateLimitExceeded", "RateLimitExceeded", "429", null, new byte[] {'{', '}'}, until)));
            log.event("rate_limit.dynamic_adjusted")
                    .shows("key", "k")
                    .shows("until", until)
                    .shows("reason", "429");
            fetches();
            log.job("j2").shows("limited_by.strategy", "adjusted").shows("limited_by.until", until);
            log.after(ofMillis(29_999));
            fetches();
            log.after(ofMillis(1));
            assertThat(fetched(10)).hasSize(3);
        }

        private void frozen(String limit) {
            jobs(3, limit);
            log.receives(fetch()).replies().jobs("j1");
            log.receives(nack("j1").error(until(TestPartition.START.plus(ofDays(300)))))
                    .after(ofSeconds(2));
            fetches();
        }

        @Test
        void lift_the_directive_of_a_worker() {
            frozen("{'key':'k','concurrency':5}");
            log.receives(fetch().count(2).waiting(ofHours(1)).as("worker"));
            log.receives(ask(new OverrideLimit("k", new Allowance(2L, null, null), null)));
            log.repliesTo("worker").jobs("j2", "j3");
        }

        @Test
        void lift_it_when_they_are_ended_too() {
            frozen("{'key':'k','concurrency':5}");
            log.receives(ask(new EndOverride("k")));
            fetches("j2", "j3", "j1");
        }

        @Test
        void of_a_throttle_are_in_force_at_once_and_so_is_their_end() {
            log.receives(ask(new OverrideLimit(
                    "k", new Allowance(null, null, pace(1, ofHours(1))), TestPartition.START.plusSeconds(300))));
            jobs(5, "{'key':'k','throttle':{'limit':10,'period':'PT1S'}}");
            fetches("j1");
            log.receives(fetch().waiting(ofHours(2)).as("worker"))
                    .after(ofMillis(299_999))
                    .keepsWaiting("worker");
            log.after(ofMillis(1));
            log.repliesTo("worker").jobs("j2");
            log.receives(ask(new OverrideLimit("k", new Allowance(null, null, pace(1, ofHours(1))), null)));
            log.after(ofSeconds(1));
            fetches();
            log.receives(ask(new EndOverride("k")));
            fetches("j3");
        }

        @Test
        void a_throttle_that_a_newer_job_makes_faster_is_in_force_at_once() {
            jobs(2, "{'key':'k','throttle':{'limit':1,'period':'P366D'}}");
            fetches("j1");
            log.after(ofSeconds(1));
            fetches();
            log.receives(job("new", "{'key':'k','throttle':{'limit':10,'period':'PT1S'}}"));
            fetches("j2");
            log.after(ofMillis(100));
            fetches("new");
        }
    }

    @Nested
    class Queues {
        @Test
        void have_a_concurrency_of_their_own() {
            log.receives(bound("q", limited(2L, null, null)), enqueue("a"), enqueue("b"), enqueue("c"));
            fetches("a", "b");
            log.job("c").shows("limited_by.key", "queue:q").shows("limited_by.strategy", "concurrency");
            log.receives(fetch().waiting(ofHours(1)).as("worker")).receives(ack("a"));
            log.repliesTo("worker").jobs("c");
        }

        @Test
        void have_a_rate_of_their_own_which_survives_a_restart() {
            log.receives(
                    bound("q", limited(null, pace(2, ofSeconds(1)), null)), enqueue("a"), enqueue("b"), enqueue("c"));
            fetches("a", "b");
            log.restarts()
                    .receives(fetch().waiting(ofHours(1)).as("worker"))
                    .after(ofMillis(999))
                    .keepsWaiting("worker");
            log.after(ofMillis(1));
            log.repliesTo("worker").jobs("c");
        }

        @Test
        void space_starts_by_a_throttle_of_their_own() {
            log.receives(bound("q", limited(null, null, pace(10, ofSeconds(1)))), enqueue("a"), enqueue("b"));
            fetches("a");
            log.after(ofMillis(99));
            fetches();
            log.after(ofMillis(1));
            fetches("b");
        }

        @Test
        void and_keys_hold_together_and_who_is_held_back_by_one_uses_nothing_of_the_other() {
            log.receives(bound("q", limited(1L, null, null)), enqueue("free"));
            jobs(2, "{'key':'k','rate':{'limit':1,'period':'PT1H'}}");
            fetches("free");
            fetches();
            limit("k").shows("rate.current_count", 0).shows("outstanding", 0);
            log.receives(ack("free"));
            fetches("j1");
            log.receives(ack("j1"));
            fetches();
            log.job("j2").shows("limited_by.strategy", "rate");
        }

        @Test
        void let_more_through_when_their_limit_is_raised() {
            log.receives(bound("q", limited(0L, null, null)), enqueue("a"));
            log.receives(fetch().waiting(ofHours(1)).as("worker")).keepsWaiting("worker");
            log.event("rate_limit.exceeded").shows("key", "queue:q");
            log.receives(bound("q", limited(1L, null, null)));
            log.repliesTo("worker").jobs("a");
            log.receives(ack("a"), bound("q", QueueConfig.NONE, "concurrency"), enqueue("b"), enqueue("c"));
            fetches("b", "c");
        }

        @Test
        void are_frozen_by_jobs_without_a_limit() {
            log.receives(enqueue("a"), enqueue("b"));
            log.receives(fetch()).replies().jobs("a");
            Instant until = TestPartition.START.plusSeconds(30);
            log.receives(nack("a").error(new ErrorReport("x", "x", "429", null, new byte[] {'{', '}'}, until)));
            log.event("rate_limit.dynamic_adjusted").shows("key", "queue:q");
            log.receives(fetch().waiting(ofHours(1)).as("worker"))
                    .after(ofMillis(29_999))
                    .keepsWaiting("worker");
            log.after(ofMillis(1));
            assertThat(log.repliesTo("worker").lines()).hasSize(1);
        }

        private void frozen() {
            log.receives(enqueue("a"), enqueue("b"));
            log.receives(fetch()).replies().jobs("a");
            log.receives(nack("a").error(until(TestPartition.START.plus(ofDays(300)))));
            fetches();
        }

        @Test
        void stand_still_for_an_hour_at_most_because_of_a_job_without_a_key() {
            frozen();
            log.after(ofMinutes(59));
            fetches();
            log.after(ofMinutes(1));
            assertThat(fetched(10)).hasSize(2);
        }

        @Test
        void can_start_jobs_again_when_they_get_another_limit_or_the_same() {
            frozen();
            log.receives(fetch().waiting(ofHours(1)).as("worker"));
            log.receives(bound("q", limited(5L, null, null)));
            log.repliesTo("worker").jobs("b");
            log.receives(nack("b").error(until(TestPartition.START.plus(ofDays(300)))), enqueue("c"));
            fetches();
            log.receives(bound("q", limited(5L, null, null)));
            fetches("c");
        }

        @Test
        void can_start_jobs_again_when_they_lose_their_limit() {
            frozen();
            log.receives(bound("q", QueueConfig.NONE, "rate"));
            fetches("b");
        }

        @Test
        void that_are_made_again_know_nothing_of_directives_to_workers_of_the_old_one() {
            log.receives(enqueue("a").maxAttempts(1));
            log.receives(fetch()).replies().jobs("a");
            log.receives(nack("a").error(until(TestPartition.START.plus(ofDays(300)))));
            log.receives(delete("q", Deletion.DISCARD)).after(ofSeconds(1)).receives(enqueue("b"));
            fetches("b");
        }

        @Test
        void with_a_throttle_that_is_corrected_start_jobs_at_once() {
            log.receives(
                    bound("q", limited(null, null, pace(1, ofDays(366)))), enqueue("a"), enqueue("b"), enqueue("c"));
            fetches("a");
            log.after(ofMinutes(1)).receives(fetch().waiting(ofHours(1)).as("worker"));
            log.receives(bound("q", limited(null, null, pace(1, ofSeconds(1)))));
            log.repliesTo("worker").jobs("b");
            log.after(ofSeconds(1));
            fetches("c");
        }
    }

    private static ErrorReport until(Instant time) {
        return new ErrorReport("x", "x", "429", null, new byte[] {'{', '}'}, time);
    }

    @Test
    void each_job_that_starts_says_how_long_it_was_held_back() {
        jobs(4, ONE_AT_A_TIME);
        fetches("j1");
        assertThat(log.event("job.started").json().path("rate_limit").has("waited_ms"))
                .isFalse();
        for (int i = 2; i <= 4; i++) {
            log.after(ofSeconds(10)).receives(ack("j" + (i - 1)));
            fetches("j" + i);
            log.event("job.started").shows("rate_limit.waited_ms", 10_000 * (i - 1));
        }
        log.after(ofSeconds(10)).receives(ack("j4"), job("late", ONE_AT_A_TIME));
        log.after(ofMinutes(1));
        fetches("late");
        assertThat(log.event("job.started").json().path("rate_limit").has("waited_ms"))
                .isFalse();
    }

    @Test
    void what_waits_for_a_limit_is_counted_and_what_waits_for_a_worker_is_not() {
        jobs(3, ONE_AT_A_TIME);
        log.receives(ask(new CountLimited(List.of("k"))));
        log.replies().line(1).shows("waiting", 0).shows("active", 0);
        fetches("j1");
        log.receives(ask(new CountLimited(List.of("k"))));
        log.replies().line(1).shows("waiting", 2).shows("active", 1);
        log.job("j2").shows("waiting.reason", "rate_limited");
        log.receives(ack("j1"));
        log.receives(ask(new CountLimited(List.of("k"))));
        log.replies().line(1).shows("waiting", 0).shows("active", 0);
    }

    @Test
    void that_held_back_most_are_named_first() {
        for (int i = 1; i <= 3; i++) log.receives(job("a" + i, "{'key':'a','concurrency':1}"));
        for (int i = 1; i <= 5; i++) log.receives(job("z" + i, "{'key':'z','concurrency':0}"));
        log.receives(
                job("m", "{'key':'m','concurrency':5}"),
                job("idle", "{'key':'idle','concurrency':5}").to("other"));
        assertThat(fetched(100)).hasSize(2);
        log.receives(ask(new CountLimited(List.of())));
        assertThat(log.replies().lines().stream().skip(1).map(line -> line.text("key")))
                .containsExactly("z", "a", "m");
    }

    @Test
    void jobs_that_were_put_off_come_back_when_the_limit_is_raised() {
        jobs(3, "{'key':'k','rate':{'limit':1,'period':'PT24H'},'on_limit':'reschedule'}");
        fetches("j1");
        log.job("j2").is("scheduled");
        log.job("j3").is("scheduled");
        log.receives(ask(new OverrideLimit("k", new Allowance(null, pace(10, ofHours(24)), null), null)));
        log.restarts();
        log.receives(fetch().count(5).waiting(ofSeconds(5)).as("worker")).after(ofSeconds(1));
        log.job("j2").is("active");
        log.job("j3").is("active");
    }

    @Test
    void jobs_that_were_put_off_in_another_log_come_back_when_the_limit_is_raised() {
        Cluster cluster = new Cluster(4);
        String key = cluster.limitKey(3);
        String queue = cluster.queue(0, "q");
        String second = cluster.id(0, "second");
        String limit = "{'key':'%s','rate':{'limit':1,'period':'PT24H'},'on_limit':'reschedule'}".formatted(key);
        for (String name : List.of(cluster.id(0, "first"), second))
            cluster.receives(0, job(name, limit).to(queue));
        cluster.receives(0, fetch(queue).count(5).waiting(ofSeconds(1)).as("a")).delivers();
        cluster.receives(0, fetch(queue).count(5).waiting(ofSeconds(1)).as("b")).delivers();
        cluster.log(0).job(second).is("scheduled");
        cluster.receives(3, ask(new OverrideLimit(key, new Allowance(null, pace(10, ofHours(24)), null), null)));
        cluster.delivers().after(ofSeconds(1)).delivers();
        cluster.log(0).job(second).is("active");
    }

    @Test
    void jobs_that_were_held_back_are_released_when_they_may_start_whether_a_worker_is_there_or_not() {
        jobs(2, "{'key':'k','rate':{'limit':1,'period':'PT1M'}}");
        fetches("j1");
        log.event("rate_limit.exceeded").shows("key", "k");
        log.receives(fetch().waiting(ofSeconds(1)).as("worker"));
        log.after(ofSeconds(59));
        log.after(ofSeconds(1));
        log.event("rate_limit.released")
                .shows("key", "k")
                .shows("strategy", "rate")
                .shows("waited_ms", 60_000);
        fetches("j2");
        log.emits("job.started");
    }

    @Test
    void waiting_is_no_part_of_the_time_out_or_the_delay_of_a_retry() {
        log.receives(
                job("j1", ONE_AT_A_TIME),
                job("j2", ONE_AT_A_TIME).timeout(ofSeconds(5)).visibility(ofSeconds(5)));
        fetches("j1");
        log.after(ofMinutes(10));
        log.receives(ack("j1"));
        fetches("j2");
        log.job("j2").is("active").shows("attempt", 1);
        log.after(ofSeconds(4));
        log.job("j2").is("active");
    }

    @Test
    void a_word_of_a_clock_that_is_ahead_is_soon_outvoted() {
        Cluster cluster = new Cluster(4);
        String key = cluster.limitKey(3);
        cluster.log(0).after(ofHours(1));
        for (int partition = 0; partition < 2; partition++) {
            String limit = "{'key':'%s','concurrency':%d}".formatted(key, 7 + partition);
            cluster.receives(partition, job(cluster.id(partition, "j"), limit).to(cluster.queue(partition, "q")));
            cluster.delivers().after(ofSeconds(1)).delivers();
        }
        cluster.receives(3, ask(new GetLimit(key)));
        cluster.log(3).replies().shown().shows("concurrency", 8);
    }

    @Test
    void a_stopped_key_of_many_jobs_is_in_no_clients_way() {
        log.unaudited();
        for (int i = 0; i < 3_000; i++) log.receives(job("stopped" + i, "{'key':'k','concurrency':0}"));
        log.receives(enqueue("free"));
        fetches("free");
        log.receives(ask(new CountLimited(List.of("k", "unknown"))));
        assertThat(log.replies().lines()).hasSize(2);
        log.replies().line(1).shows("waiting", 3_000).shows("active", 0);
    }

    @Test
    void many_keys_that_are_held_back_hide_no_client() {
        log.unaudited();
        for (int i = 0; i < 700; i++) log.receives(job("j" + i, "{'key':'k%d','concurrency':0}".formatted(i)));
        log.receives(
                job("eligible", "{'key':'free','concurrency':1}"),
                enqueue("less-urgent").priority(-1));
        log.receives(fetch().as("poll"));
        for (int i = 0; i < 4; i++) log.after(ofMillis(2));
        log.repliesTo("poll").jobs("eligible");
    }

    @Test
    void a_client_that_asks_for_few_types_drops_nothing_of_others() {
        jobs(2, "{'key':'k','concurrency':1,'on_limit':'drop'}");
        log.receives(fetch()).replies().jobs("j1");
        log.receives(job("waits", "{'key':'k','concurrency':1}").type("patient"));
        log.receives(fetch().only("patient")).replies().nothing();
        String large = "[\"%s\"]".formatted("x".repeat(70_000));
        log.receives(enqueue("large").type("other").member("args", large));
        log.receives(fetch().only("other"));
        log.replies().jobs("large");
        log.job("j2").shows("state", "available");
    }
}
