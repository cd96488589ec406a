package io.floodgate.processor.limit;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.testing.Ask;
import io.floodgate.processor.testing.Cluster;
import io.floodgate.processor.testing.Commands;
import io.floodgate.processor.testing.Ids;
import io.floodgate.processor.testing.Shown;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.command.ErrorReport;
import io.floodgate.topics.command.LimitCommand.GetLimit;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** A key whose log is neither that of one of its queues nor that of the other. */
class PermitsAcrossLogsTest extends Commands {
    private static final int HOME = 3;

    private final Cluster cluster = new Cluster(4);
    private final String key = key(1);

    /** One of the keys of that partition. */
    private String key(int number) {
        int left = number;
        for (int n = 0; ; n++)
            if (cluster.routing().ofLimit("k" + n).equals(cluster.log(HOME).id()) && --left == 0) return "k" + n;
    }

    private PartitionId id(int partition) {
        return cluster.log(partition).id();
    }

    private String queue(int partition) {
        return Ids.queueIn(id(partition), cluster.routing(), "q");
    }

    private String name(int partition, int number) {
        return Ids.nicknameIn(id(partition), cluster.routing(), "j%d-".formatted(number));
    }

    private Commands.Job job(int partition, int number, String limit) {
        return job(partition, number, key, limit);
    }

    private Commands.Job job(int partition, int number, String ofKey, String limit) {
        return enqueue(name(partition, number))
                .to(queue(partition))
                .member("rate_limit", "{\"key\":\"%s\",%s}".formatted(ofKey, limit.replace('\'', '"')));
    }

    private void jobs(int partition, int count, String limit) {
        for (int i = 1; i <= count; i++) cluster.receives(partition, job(partition, i, limit));
        cluster.delivers();
    }

    private Ask take(int partition, String asker, int most) {
        return fetch(queue(partition)).count(most).waiting(ofHours(1)).as(asker);
    }

    private Shown limit() {
        return cluster.receives(HOME, ask(new GetLimit(key)))
                .log(HOME)
                .replies()
                .shown();
    }

    /** One after the other, each is acked as soon as it is there; how many ran in that time. */
    private List<Long> works(int partition, int most) {
        List<Long> dates = new ArrayList<>();
        cluster.receives(partition, take(partition, "worker" + partition, most)).delivers();
        for (Shown line : cluster.log(partition).repliesTo("worker" + partition).lines())
            dates.add(line.number("attempt"));
        return dates;
    }

    @Test
    void are_asked_for_in_number_and_come_at_once() {
        jobs(0, 5, "'concurrency':3");
        assertThat(works(0, 10)).hasSize(3);
        cluster.receives(0, take(0, "next", 10)).delivers();
        cluster.log(0).keepsWaiting("next");
        cluster.receives(0, ack(name(0, 1))).delivers();
        cluster.log(0).repliesTo("next").jobs(name(0, 4));
        limit().shows("outstanding", 3);
    }

    @Test
    void a_fetch_that_does_not_wait_does_so_until_they_come() {
        jobs(0, 1, "'concurrency':1");
        cluster.receives(0, fetch(queue(0)).as("poll"));
        cluster.log(0).keepsWaiting("poll");
        cluster.delivers();
        cluster.log(0).repliesTo("poll").jobs(name(0, 1));
        cluster.receives(0, fetch(queue(0)).as("again"));
        cluster.log(0).repliesTo("again").nothing();
    }

    @Test
    void a_fetch_for_a_worker_that_holds_started_jobs_asks_for_them_and_is_answered_at_once() {
        jobs(0, 1, "'concurrency':1");
        cluster.receives(0, fetch(queue(0)).atOnce().as("sweep"));
        cluster.log(0).repliesTo("sweep").nothing();
        cluster.delivers().receives(0, fetch(queue(0)).atOnce().as("next"));
        cluster.log(0).repliesTo("next").jobs(name(0, 1));
    }

    @Test
    void of_several_keys_are_asked_for_and_given_with_one_message() {
        for (int i = 1; i <= 4; i++) cluster.receives(0, job(0, i, key(i), "'concurrency':5"));
        cluster.delivers().receives(0, take(0, "worker", 4));
        assertThat(cluster.underway()).isOne();
        cluster.deliversOne();
        assertThat(cluster.underway()).isOne();
        cluster.delivers();
        cluster.log(0).repliesTo("worker").jobs(name(0, 1), name(0, 2), name(0, 3), name(0, 4));
    }

    @Test
    void are_not_talked_about_after_each_job_while_there_are_many() {
        jobs(0, 2, "'concurrency':5");
        cluster.receives(0, take(0, "worker", 1)).delivers().receives(0, ack(name(0, 1)));
        assertThat(cluster.underway()).isZero();
        limit().shows("outstanding", 1);
        cluster.receives(0, take(0, "next", 1)).delivers();
        limit().shows("outstanding", 1);
    }

    @Test
    void are_asked_back_before_any_client_hears_that_there_are_none() {
        jobs(0, 1, "'concurrency':4");
        cluster.receives(0, take(0, "worker", 1)).delivers().receives(0, ack(name(0, 1)));
        jobs(1, 4, "'concurrency':4,'on_limit':'drop'");
        cluster.receives(1, take(1, "one", 4)).delivers();
        cluster.log(1).repliesTo("one").jobs(name(1, 1), name(1, 2), name(1, 3));
        cluster.receives(1, take(1, "next", 1));
        cluster.log(1).repliesTo("next").jobs(name(1, 4));
        limit().shows("outstanding", 4);
    }

    @Test
    void are_asked_back_after_what_is_given_in_the_same_step() {
        // given: the last permit goes to the partition that has not heard yet that few are left
        String limit = "'concurrency':3,'rate':{'limit':1,'period':'PT1S'}";
        jobs(0, 3, limit);
        jobs(1, 3, limit);
        cluster.receives(0, take(0, "one", 1)).delivers();
        cluster.log(0).repliesTo("one").jobs(name(0, 1));
        cluster.receives(1, take(1, "two", 3)).delivers().receives(0, take(0, "three", 3));
        cluster.delivers();
        cluster.after(ofSeconds(1)).delivers();
        cluster.log(1).repliesTo("two").jobs(name(1, 1));
        cluster.receives(1, take(1, "four", 3));
        // when
        cluster.after(ofSeconds(1)).delivers();
        // then
        cluster.log(0).repliesTo("three").jobs(name(0, 2));
    }

    @Test
    void that_are_in_use_are_not_there_for_others() {
        jobs(0, 1, "'concurrency':4");
        cluster.receives(0, take(0, "worker", 1)).delivers();
        jobs(1, 4, "'concurrency':4,'on_limit':'drop'");
        cluster.receives(1, take(1, "one", 4)).delivers();
        cluster.log(1).repliesTo("one").jobs(name(1, 1), name(1, 2), name(1, 3));
        cluster.receives(1, take(1, "next", 1)).delivers();
        cluster.log(1).keepsWaiting("next");
        state(1, 4, "discarded");
    }

    @Test
    void of_who_does_not_answer_count_as_used_after_a_while() {
        jobs(0, 1, "'concurrency':4");
        cluster.receives(0, take(0, "worker", 1)).delivers().receives(0, ack(name(0, 1)));
        jobs(1, 4, "'concurrency':4,'on_limit':'drop'");
        cluster.receives(1, take(1, "one", 4)).deliversOne().losesOne().delivers();
        cluster.log(1).repliesTo("one").jobs(name(1, 1), name(1, 2), name(1, 3));
        cluster.receives(1, take(1, "next", 1));
        state(1, 4, "available");
        cluster.after(ofMillis(250)).delivers();
        state(1, 4, "discarded");
    }

    private void state(int partition, int number, String state) {
        cluster.receives(partition, getJob(name(partition, number)));
        cluster.log(partition).replies().shown().shows("state", state);
    }

    private String free(int number) {
        String free = Ids.nicknameIn(id(0), cluster.routing(), "free" + number);
        cluster.receives(0, enqueue(free).to(queue(0)));
        return free;
    }

    @Test
    void what_comes_first_in_order_is_handed_out_first_though_it_has_to_ask() {
        jobs(0, 1, "'concurrency':1");
        String free = free(1);
        cluster.receives(0, fetch(queue(0)).as("poll"));
        cluster.log(0).keepsWaiting("poll");
        cluster.delivers();
        cluster.log(0).repliesTo("poll").jobs(name(0, 1));
        cluster.receives(0, fetch(queue(0)).as("next"));
        cluster.log(0).repliesTo("next").jobs(free);
    }

    @Test
    void what_comes_before_it_does_not_wait() {
        String free = free(1);
        jobs(0, 1, "'concurrency':1");
        cluster.receives(0, fetch(queue(0)).as("poll"));
        cluster.log(0).repliesTo("poll").jobs(free);
    }

    @Test
    void what_comes_later_waits_for_an_answer_for_a_moment_only() {
        jobs(0, 1, "'concurrency':1");
        String free = free(1);
        String other = free(2);
        cluster.receives(0, take(0, "worker", 1)).after(ofMillis(99));
        cluster.log(0).keepsWaiting("worker");
        cluster.after(ofMillis(1));
        cluster.log(0).repliesTo("worker").jobs(free);
        // And not again while nothing is heard.
        cluster.receives(0, fetch(queue(0)).as("next"));
        cluster.log(0).repliesTo("next").jobs(other);
    }

    @Test
    void a_client_that_does_not_wait_gets_what_there_is_though_no_answer_comes() {
        jobs(0, 1, "'concurrency':1");
        String free = free(1);
        cluster.receives(0, fetch(queue(0)).as("poll")).after(ofMillis(200));
        cluster.log(0).repliesTo("poll").jobs(free);
    }

    @Test
    void are_kept_for_a_client_that_was_given_something_of_another_queue_meanwhile() {
        jobs(0, 1, "'rate':{'limit':5,'period':'PT1M'}");
        String other = Ids.queueIn(id(0), cluster.routing(), "other");
        String free = Ids.nicknameIn(id(0), cluster.routing(), "free");
        cluster.receives(0, enqueue(free).to(other), fetch(queue(0), other).as("poll"));
        cluster.log(0).repliesTo("poll").jobs(free);
        cluster.delivers().after(ofSeconds(1)).delivers();
        cluster.receives(0, fetch(queue(0), other).as("again"));
        cluster.log(0).repliesTo("again").jobs(name(0, 1));
    }

    @Test
    void that_come_too_late_for_a_client_that_asked_are_kept_until_he_asks_again() {
        jobs(0, 1, "'rate':{'limit':5,'period':'PT1M'}");
        cluster.receives(0, fetch(queue(0)).as("poll")).after(ofMillis(400));
        cluster.log(0).repliesTo("poll").nothing();
        cluster.delivers().after(ofMillis(900));
        cluster.receives(0, fetch(queue(0)).as("again"));
        cluster.log(0).repliesTo("again").jobs(name(0, 1));
    }

    @Test
    void that_take_long_to_come_start_jobs_all_the_same() {
        for (String limit : List.of(
                "'concurrency':3", "'rate':{'limit':3,'period':'PT1S'}", "'throttle':{'limit':3,'period':'PT1S'}"))
            new PermitsAcrossLogsTest().startsThoughSlow(limit);
    }

    private void startsThoughSlow(String limit) {
        jobs(0, 1, limit);
        cluster.receives(0, take(0, "worker", 1)).after(ofMillis(900)).deliversOne();
        cluster.after(ofMillis(900)).delivers();
        cluster.log(0).repliesTo("worker").jobs(name(0, 1));
    }

    @Test
    void count_from_when_jobs_start_on_them() {
        jobs(0, 2, "'rate':{'limit':1,'period':'PT1S'}");
        countFromTheStart();
    }

    /** A job that starts 700 ms after its permit was given keeps the next one waiting for a second from then on. */
    private void countFromTheStart() {
        cluster.receives(0, take(0, "worker", 1))
                .deliversOne()
                .after(ofMillis(700))
                .delivers();
        cluster.log(0).repliesTo("worker").jobs(name(0, 1));
        cluster.receives(0, take(0, "next", 1)).delivers().after(ofMillis(999)).delivers();
        cluster.log(0).keepsWaiting("next");
        cluster.after(ofMillis(1)).delivers();
        cluster.log(0).repliesTo("next").jobs(name(0, 2));
    }

    @Test
    void count_no_earlier_than_jobs_start_on_them_while_the_clock_of_their_log_has_stepped_back() {
        jobs(0, 2, "'rate':{'limit':1,'period':'PT1S'}");
        cluster.log(0).sleeps(ofHours(-1));
        countFromTheStart();
    }

    @Test
    void of_which_nothing_is_heard_count_for_as_long_as_a_job_may_start_on_them() {
        jobs(0, 1, "'rate':{'limit':1,'period':'PT1S'}");
        jobs(1, 1, "'rate':{'limit':1,'period':'PT1S'}");
        cluster.receives(0, take(0, "worker", 1)).deliversOne().deliversOne();
        cluster.log(0).repliesTo("worker").jobs(name(0, 1));
        while (cluster.underway() > 0) cluster.losesOne();
        cluster.receives(1, take(1, "one", 1)).delivers();
        cluster.after(ofMillis(5_999)).delivers();
        cluster.log(1).keepsWaiting("one");
        cluster.after(ofMillis(1)).delivers();
        cluster.log(1).repliesTo("one").jobs(name(1, 1));
    }

    @Test
    void of_a_throttle_follow_one_another_as_starts_are_heard_of() {
        jobs(0, 3, "'throttle':{'limit':10,'period':'PT1S'}");
        cluster.receives(0, take(0, "one", 1), take(0, "two", 1), take(0, "three", 1))
                .deliversOne();
        cluster.after(ofMillis(30)).delivers();
        cluster.log(0).repliesTo("one").jobs(name(0, 1));
        cluster.after(ofMillis(89)).delivers();
        cluster.log(0).keepsWaiting("two");
        cluster.after(ofMillis(1)).delivers();
        cluster.log(0).repliesTo("two").jobs(name(0, 2));
    }

    @Test
    void of_concurrency_only_are_not_talked_about_when_jobs_start_on_them() {
        jobs(0, 1, "'concurrency':5");
        cluster.receives(0, take(0, "worker", 1)).delivers();
        cluster.log(0).repliesTo("worker").jobs(name(0, 1));
        assertThat(cluster.underway()).isZero();
    }

    @Test
    void that_are_not_used_are_called_back_when_a_worker_says_so() {
        jobs(0, 3, "'concurrency':5");
        jobs(1, 1, "'concurrency':5");
        cluster.receives(1, take(1, "worker", 1)).delivers();
        // One permit is there, and no worker that has asked for it.
        cluster.receives(0, fetch(queue(0)).as("gone")).after(ofMillis(200)).delivers();
        cluster.log(0).repliesTo("gone").nothing();
        cluster.receives(1, nack(name(1, 1)).error(until(cluster.log(1).now().plusSeconds(30))))
                .delivers();
        cluster.receives(0, fetch(queue(0)).as("poll")).delivers();
        cluster.after(ofMillis(200)).delivers();
        cluster.log(0).repliesTo("poll").nothing();
    }

    private static ErrorReport until(Instant time) {
        return new ErrorReport("x", "x", "429", null, new byte[] {'{', '}'}, time);
    }

    @Test
    void are_shared_by_logs_in_turn() {
        jobs(0, 5, "'concurrency':1");
        jobs(1, 5, "'concurrency':1");
        assertThat(works(0, 1)).hasSize(1);
        cluster.receives(1, take(1, "one", 1)).receives(0, take(0, "zero", 1)).delivers();
        cluster.log(1).keepsWaiting("one");
        cluster.receives(0, ack(name(0, 1))).delivers();
        cluster.log(1).repliesTo("one").jobs(name(1, 1));
        cluster.log(0).keepsWaiting("zero");
        cluster.receives(1, ack(name(1, 1))).delivers();
        cluster.log(0).repliesTo("zero").jobs(name(0, 2));
    }

    @Test
    void that_no_client_uses_in_time_go_back_and_are_not_counted() {
        jobs(0, 5, "'rate':{'limit':1,'period':'PT1H'}");
        cluster.receives(0, fetch(queue(0)).as("gone"));
        cluster.after(ofMillis(200)).delivers();
        cluster.log(0).repliesTo("gone").nothing();
        cluster.after(ofMillis(2_001)).delivers();
        limit().shows("rate.current_count", 0).shows("outstanding", 0);
        assertThat(works(0, 3)).hasSize(1);
        limit().shows("rate.current_count", 1);
    }

    @Test
    void start_jobs_in_their_time_by_the_clock() {
        jobs(0, 5, "'rate':{'limit':1,'period':'PT1S'}");
        assertThat(works(0, 1)).hasSize(1);
        cluster.receives(0, take(0, "next", 1)).delivers().after(ofMillis(999)).delivers();
        cluster.log(0).keepsWaiting("next");
        cluster.after(ofMillis(1)).delivers();
        cluster.log(0).repliesTo("next").jobs(name(0, 2));
    }

    @Test
    void do_not_leak_when_a_log_forgets_everything() {
        jobs(0, 2, "'concurrency':1");
        jobs(1, 2, "'concurrency':1");
        assertThat(works(0, 1)).hasSize(1);
        cluster.receives(1, take(1, "one", 1)).delivers();
        cluster.receives(0, reset()).after(ofSeconds(1)).delivers();
        cluster.log(1).repliesTo("one").jobs(name(1, 1));
        limit().shows("outstanding", 1);
    }

    @Test
    void are_not_given_twice_when_the_log_of_the_key_forgets_everything() {
        jobs(0, 2, "'concurrency':1");
        jobs(1, 2, "'concurrency':1");
        assertThat(works(0, 1)).hasSize(1);
        cluster.receives(1, take(1, "one", 1)).delivers();
        cluster.receives(HOME, reset()).after(ofSeconds(1)).delivers();
        limit().shows("outstanding", 1);
        cluster.log(1).keepsWaiting("one");
        cluster.receives(0, ack(name(0, 1))).delivers();
        cluster.log(1).repliesTo("one").jobs(name(1, 1));
    }

    @Test
    void keep_to_the_newest_word_though_a_log_has_said_the_same_before() {
        jobs(0, 1, "'concurrency':5");
        cluster.after(ofSeconds(1));
        jobs(1, 1, "'concurrency':3");
        limit().shows("concurrency", 3);
        cluster.after(ofSeconds(1)).receives(0, job(0, 2, "'concurrency':5")).delivers();
        limit().shows("concurrency", 5);
        cluster.after(ofSeconds(1)).receives(1, job(1, 2, "'concurrency':3")).delivers();
        limit().shows("concurrency", 3);
    }

    @Test
    void keep_to_the_newest_word_though_the_one_before_is_still_on_its_way() {
        jobs(0, 1, "'concurrency':5");
        cluster.after(ofSeconds(1)).receives(1, job(1, 1, "'concurrency':3"));
        cluster.after(ofSeconds(1)).receives(0, job(0, 2, "'concurrency':5")).delivers();
        limit().shows("concurrency", 5);
    }

    @Test
    void are_not_talked_about_for_each_job_whatever_others_say() {
        jobs(0, 1, "'concurrency':5");
        cluster.after(ofSeconds(1));
        jobs(1, 1, "'concurrency':3");
        cluster.after(ofSeconds(1));
        jobs(0, 2, "'concurrency':5");
        int told = 0;
        for (int i = 3; i < 50; i++) {
            cluster.receives(0, job(0, i, "'concurrency':5"));
            told += cluster.underway();
            cluster.delivers();
        }
        assertThat(told).isZero();
    }

    @Test
    void of_keys_that_no_client_uses_any_more_are_forgotten_everywhere() {
        jobs(0, 1, "'concurrency':1");
        assertThat(works(0, 1)).hasSize(1);
        cluster.receives(0, ack(name(0, 1)))
                .delivers()
                .after(ofMinutes(2))
                .delivers()
                .after(ofMinutes(2));
        cluster.receives(HOME, ask(new GetLimit(key)));
        cluster.log(HOME).rejects(io.floodgate.topics.command.ErrorCode.NOT_FOUND);
    }

    /** Kafka loses messages, or has them twice; logs are opened again. Totals make good for all of it. */
    @Nested
    class WhateverBecomesOfMessages {
        private static final Duration ASKED_AGAIN = ofSeconds(31);

        private void runs(int partition, String asker, int number) {
            cluster.log(partition).repliesTo(asker).jobs(name(partition, number));
        }

        @Test
        void a_request_that_is_lost_is_made_again() {
            jobs(0, 1, "'concurrency':1");
            cluster.receives(0, take(0, "worker", 1)).losesOne().delivers();
            cluster.log(0).keepsWaiting("worker");
            cluster.after(ASKED_AGAIN).delivers();
            runs(0, "worker", 1);
            limit().shows("outstanding", 1);
        }

        @Test
        void a_grant_that_is_lost_is_not_held_for_good() {
            jobs(0, 1, "'concurrency':1");
            cluster.receives(0, take(0, "worker", 1)).deliversOne().losesOne().delivers();
            cluster.log(0).keepsWaiting("worker");
            cluster.after(ASKED_AGAIN).delivers().after(ASKED_AGAIN).delivers();
            runs(0, "worker", 1);
            limit().shows("outstanding", 1);
        }

        @Test
        void a_permit_whose_release_is_lost_goes_to_others_all_the_same() {
            jobs(0, 1, "'concurrency':1");
            jobs(1, 1, "'concurrency':1");
            assertThat(works(0, 1)).hasSize(1);
            cluster.receives(1, take(1, "one", 1)).delivers();
            cluster.receives(0, ack(name(0, 1))).losesOne().delivers();
            cluster.log(1).keepsWaiting("one");
            cluster.after(ofMinutes(2)).delivers();
            runs(1, "one", 1);
            limit().shows("outstanding", 1);
        }

        @Test
        void permits_whose_return_is_lost_are_given_again() {
            jobs(0, 1, "'concurrency':1");
            cluster.receives(0, fetch(queue(0)).as("gone")).after(ofMillis(200)).delivers();
            cluster.log(0).repliesTo("gone").nothing();
            cluster.after(ofMillis(2_001));
            while (cluster.underway() > 0) cluster.losesOne();
            cluster.receives(0, take(0, "worker", 1))
                    .delivers()
                    .after(ASKED_AGAIN)
                    .delivers();
            runs(0, "worker", 1);
            limit().shows("outstanding", 1);
        }

        @Test
        void messages_that_come_twice_count_once() {
            jobs(0, 2, "'concurrency':2");
            cluster.receives(0, take(0, "worker", 2));
            while (cluster.underway() > 0) cluster.deliversOneTwice();
            cluster.log(0).repliesTo("worker").jobs(name(0, 1), name(0, 2));
            limit().shows("outstanding", 2);
            cluster.receives(0, ack(name(0, 1)), ack(name(0, 2)));
            while (cluster.underway() > 0) cluster.deliversOneTwice();
            limit().shows("outstanding", 0);
        }

        @Test
        void all_logs_go_on_where_they_were_when_they_are_opened_again() {
            jobs(0, 2, "'concurrency':1");
            jobs(1, 1, "'concurrency':1");
            cluster.receives(0, take(0, "zero", 1));
            cluster.log(0).restarts();
            cluster.deliversOne();
            cluster.log(HOME).restarts();
            cluster.delivers();
            runs(0, "zero", 1);
            cluster.receives(1, take(1, "one", 1)).delivers();
            cluster.log(HOME).restarts();
            cluster.log(0).restarts();
            cluster.receives(0, ack(name(0, 1))).delivers();
            runs(1, "one", 1);
            limit().shows("outstanding", 1);
        }
    }
}
