package io.floodgate.processor.limit;

import static java.time.Duration.ofDays;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.testing.Commands;
import io.floodgate.processor.testing.PartitionTest;
import io.floodgate.processor.testing.TestPartition;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.ErrorReport;
import io.floodgate.topics.command.Identity;
import io.floodgate.topics.command.LimitCommand.GetLimit;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Whose a key of a rate limit is: what a client that is confined to queues, or to a tenant, can do to limits of others. */
class LimitOwnersTest extends PartitionTest {
    private static final Identity PUBLIC = new Identity("ops", null, null);
    private static final Identity MINE = new Identity("a", List.of("mine"), null);
    private static final Identity MINE_TOO = new Identity("b", List.of("mine"), null);
    private static final Identity SHOP = new Identity("shop", List.of("shop", "shop.*"), null);
    private static final Identity ALL_QUEUES = new Identity("all", List.of("*"), null);
    private static final Identity ACME = new Identity("acme", null, "acme");
    private static final Instant IN_A_YEAR = TestPartition.START.plus(ofDays(365));

    private static Commands.Job job(String name, String queue, String limit) {
        return enqueue(name).to(queue).member("rate_limit", limit.replace('\'', '"'));
    }

    private void enqueues(@Nullable Identity by, String name, String queue, String limit) {
        Commands.Job job = job(name, queue, limit);
        log.receives(by == null ? job : job.sentBy(by)).replies().shown().is("available");
    }

    private void fetches(String queue, String... names) {
        log.receives(fetch(queue).count(10));
        log.replies().jobs(names);
    }

    private void freezes(@Nullable Identity by, String job) {
        var report = nack(job).error(new ErrorReport("x", "x", "429", null, new byte[] {'{', '}'}, IN_A_YEAR));
        log.receives(by == null ? report : report.sentBy(by));
    }

    private boolean knows(String key) {
        log.receives(ask(new GetLimit(key)));
        return log.replies().toString().contains("outstanding");
    }

    @Test
    void a_client_of_some_queues_neither_stops_nor_loosens_a_key_of_others() {
        for (Identity owner : new Identity[] {SHOP, PUBLIC, null}) {
            String name = owner == null ? "nobody" : owner.name();
            enqueues(owner, name + "1", "shop", "{'key':'stripe-api','concurrency':1}");
            enqueues(owner, name + "2", "shop", "{'key':'stripe-api','concurrency':1}");
            enqueues(MINE, name + "stop", "mine", "{'key':'stripe-api','concurrency':0}");
            fetches("shop", name + "1");
            enqueues(MINE, name + "loosen", "mine", "{'key':'stripe-api','concurrency':1000}");
            fetches("shop");
            log.receives(ack(name + "1"));
            fetches("shop", name + "2");
            log.receives(ack(name + "2"));
        }
    }

    @Test
    void what_one_starts_uses_nothing_of_the_others_limit() {
        enqueues(SHOP, "b", "shop", "{'key':'stripe-api','rate':{'limit':1,'period':'PT1H'}}");
        enqueues(MINE, "a", "mine", "{'key':'stripe-api','rate':{'limit':1,'period':'PT1H'}}");
        fetches("mine", "a");
        fetches("shop", "b");
    }

    @Test
    void clients_of_the_same_queues_share_their_keys_in_whatever_order_they_are_named() {
        enqueues(MINE, "a", "mine", "{'key':'k','concurrency':1}");
        enqueues(MINE_TOO, "b", "mine", "{'key':'k','concurrency':1}");
        fetches("mine", "a");
        fetches("mine");
        log.job("b").shows("limited_by.key", "k@mine").shows("rate_limit.key", "k");
        enqueues(SHOP, "c", "shop", "{'key':'k','concurrency':1}");
        Identity reversed = new Identity("shop2", List.of("shop.*", "shop"), null);
        enqueues(reversed, "d", "shop.eu", "{'key':'k','concurrency':1}");
        fetches("shop", "c");
        fetches("shop.eu");
        log.job("d").shows("limited_by.key", "k@shop,shop.*");
    }

    @Test
    void a_client_of_all_queues_shares_keys_with_those_that_have_no_identity() {
        enqueues(ALL_QUEUES, "a", "q", "{'key':'k','concurrency':1}");
        enqueues(null, "b", "q", "{'key':'k','concurrency':1}");
        fetches("q", "a");
        log.job("b").shows("limited_by.key", "k");
    }

    @Test
    void a_batch_comes_under_the_keys_of_its_sender() {
        enqueues(SHOP, "b", "shop", "{'key':'stripe-api','concurrency':1}");
        log.receives(
                batch(job("a", "mine", "{'key':'stripe-api','concurrency':0}")).sentBy(MINE));
        fetches("shop", "b");
    }

    @Test
    void no_client_names_the_key_of_a_queue_that_the_job_is_not_for() {
        log.receives(job("a", "mine", "{'key':'queue:shop','concurrency':0}"))
                .rejects(ErrorCode.INVALID_REQUEST)
                .with("field", "rate_limit.key");
        enqueues(MINE, "b", "mine", "{'key':'queue:mine','concurrency':1}");
        enqueues(null, "c", "mine", "{'concurrency':1}");
        fetches("mine", "b");
        log.job("c").shows("limited_by.key", "queue:mine");
    }

    @Test
    void a_tenant_has_no_say_about_the_jobs_of_others_in_a_queue_that_they_share() {
        enqueues(null, "other", "mail", "{'concurrency':1}");
        enqueues(ACME, "acme", "mail", "{'concurrency':0}");
        fetches("mail", "other");
        assertThat(knows("queue:mail@tenant:acme")).isTrue();
    }

    @Test
    void a_worker_of_some_queues_freezes_a_shared_key_for_its_own_queue_and_no_longer_than_an_hour() {
        enqueues(null, "a", "mine", "{'key':'stripe-api','concurrency':9}");
        fetches("mine", "a");
        enqueues(null, "a2", "mine", "{'key':'stripe-api','concurrency':9}");
        enqueues(null, "b", "shop", "{'key':'stripe-api','concurrency':9}");
        freezes(MINE, "a");
        log.event("rate_limit.dynamic_adjusted")
                .shows("key", "stripe-api")
                .shows("queue", "mine")
                .shows("until", "2026-01-01T13:00:00.000Z");
        fetches("shop", "b");
        fetches("mine");
        log.job("a2").shows("limited_by.strategy", "adjusted").shows("limited_by.until", "2026-01-01T13:00:00.000Z");
        log.restarts();
        fetches("mine");
        log.receives(fetch("mine").count(1).waiting(ofHours(2)).as("worker"))
                .after(ofHours(1).minusMillis(1))
                .keepsWaiting("worker");
        log.after(ofMillis(1));
        log.repliesTo("worker").jobs("a2");
    }

    @Test
    void a_worker_freezes_its_own_keys_and_queues_for_an_hour_at_most() {
        enqueues(MINE, "a", "mine", "{'key':'stripe-api','concurrency':9}");
        log.receives(enqueue("plain").to("mine"));
        fetches("mine", "a", "plain");
        freezes(MINE, "a");
        enqueues(MINE, "a2", "mine", "{'key':'stripe-api','concurrency':9}");
        fetches("mine");
        freezes(MINE, "plain");
        log.after(ofHours(1));
        assertThat(log.receives(fetch("mine").count(10)).replies().lines()).hasSize(3);
    }

    @Test
    void a_worker_that_may_use_all_queues_freezes_a_key_for_as_long_as_it_says() {
        for (Identity by : new Identity[] {PUBLIC, null}) {
            String name = by == null ? "nobody" : by.name();
            enqueues(by, name, "q", "{'key':'%s','concurrency':9}".formatted(name));
            fetches("q", name);
            freezes(by, name);
            log.receives(ask(new GetLimit(name)));
            log.replies().shown().shows("frozen_until", "2027-01-01T12:00:00.000Z");
        }
    }

    @Test
    void a_job_that_moves_keeps_the_key_that_it_came_under() {
        enqueues(MINE, "a", "mine", "{'key':'k','concurrency':0}");
        log.restarts();
        log.job("a").shows("rate_limit.key", "k");
        fetches("mine");
        log.job("a").shows("limited_by.key", "k@mine");
    }
}
