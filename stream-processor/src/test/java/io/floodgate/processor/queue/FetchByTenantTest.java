package io.floodgate.processor.queue;

import static io.floodgate.topics.command.ErrorCode.TENANT_LIMIT_EXCEEDED;
import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.testing.Commands;
import io.floodgate.processor.testing.Commands.Job;
import io.floodgate.processor.testing.PartitionTest;
import io.floodgate.processor.testing.TestPartition;
import io.floodgate.topics.command.QueueCommand.ExplainQueue;
import io.floodgate.topics.queue.QueuePolicy;
import io.floodgate.topics.queue.TenantFairness;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Workers that want jobs of some tenants only. */
class FetchByTenantTest extends PartitionTest {
    private static Job of(String tenant, String job) {
        return enqueue(job).of(tenant);
    }

    private static Commands.Taking some(String... tenants) {
        return fetch().count(10).ofTenants(tenants);
    }

    @Test
    void takes_jobs_of_these_tenants_in_the_order_of_one_line() {
        log.receives(
                of("a", "a1"),
                of("b", "b1"),
                of("a", "a2"),
                of("c", "c1"),
                of("a", "urgent").priority(5));
        log.receives(some("a", "c")).replies().jobs("urgent", "a1", "a2", "c1");
        log.receives(some("a")).replies().nothing();
        log.receives(fetch().count(10)).replies().jobs("b1");
    }

    @Test
    void jobs_without_a_tenant_are_those_of_the_default_one() {
        log.receives(of("a", "a1"), enqueue("plain"));
        log.receives(some("_default")).replies().jobs("plain");
    }

    @Test
    void goes_by_turns_where_tenants_take_turns() {
        log.receives(decide("q", QueuePolicy.NONE.with(TenantFairness.ON)));
        log.receives(batch(of("a", "a1"), of("a", "a2"), of("a", "a3"), of("b", "b1"), of("c", "c1"), of("c", "c2")));
        log.receives(some("a", "c").count(3)).replies().jobs("a1", "c1", "a2");
        log.receives(fetch().count(10)).replies().jobs("b1", "c2", "a3");
    }

    @Test
    void other_filters_hold_too() {
        log.receives(
                of("a", "a1").type("email.send"),
                of("b", "b1").type("sms.send"),
                of("a", "a2").type("sms.send"));
        log.receives(some("a").only("sms.send")).replies().jobs("a2");
    }

    @Test
    void who_came_first_is_served_first_whether_it_names_tenants_or_not() {
        log.receives(
                fetch().waiting(ofMinutes(1)).as("any"),
                some("a").waiting(ofMinutes(1)).as("a"));
        log.receives(of("a", "a1")).repliesTo("any").jobs("a1");
        log.receives(of("a", "a2")).repliesTo("a").jobs("a2");
    }

    @Test
    void hundreds_of_tenants_may_be_waited_for() {
        TestPartition many = new TestPartition().unaudited();
        for (int i = 0; i < 300; i++)
            many.receives(some("t" + i).waiting(ofMinutes(5)).as("w" + i));
        for (int i = 0; i < 300; i++) many.receives(of("other" + i, "o" + i));
        many.receives(of("t299", "last")).repliesTo("w299").jobs("last");
        many.keepsWaiting("w0");
        List<Job> jobs = new ArrayList<>();
        for (int i = 0; i < 100; i++) jobs.add(of("t" + i, "j" + i));
        many.receives(batch(jobs.toArray(Job[]::new))).repliesTo("w0").jobs("j0");
        many.repliesTo("w99").jobs("j99");
    }

    @Test
    void a_client_that_wants_other_types_of_the_tenant_is_passed_over() {
        log.receives(
                some("a").only("email.send").waiting(ofMinutes(1)).as("mailer"),
                some("a", "b").only("sms.send").waiting(ofMinutes(1)).as("texter"));
        log.receives(of("a", "t1").type("sms.send")).repliesTo("texter").jobs("t1");
        log.keepsWaiting("mailer");
    }

    @Test
    void jobs_that_are_not_to_wait_for_a_limit_are_dropped_for_the_tenant_alone() {
        String limit = "{\"key\":\"k\",\"concurrency\":1,\"on_limit\":\"drop\"}";
        log.receives(of("c", "c1").member("rate_limit", limit), fetch().count(10))
                .replies()
                .jobs("c1");
        log.receives(of("a", "a1").member("rate_limit", limit), of("b", "b1").member("rate_limit", limit));
        log.receives(some("b")).replies().nothing();
        log.receives(getJob("a1")).replies().shown().is("available");
        log.receives(getJob("b1")).replies().shown().is("discarded");
    }

    @Test
    void a_queue_with_very_many_jobs_is_sorted_by_tenant_while_others_are_served() {
        TestPartition many = new TestPartition().unaudited();
        for (int at = 0; at < 3_000; at += 500) {
            List<Job> jobs = new ArrayList<>();
            for (int i = at; i < at + 500; i++) jobs.add(of(i % 1_000 == 999 ? "rare" : "a", "j" + i));
            many.receives(batch(jobs.toArray(Job[]::new)));
        }
        many.receives(some("rare").count(3).waiting(ofMinutes(1)).as("rare"), tick());
        assertThat(many.repliesTo("rare").lines()).hasSizeBetween(1, 3);
    }

    @Test
    void a_job_whose_tenant_no_worker_names_says_so() {
        log.receives(of("a", "a1"), some("b").by("w1")).replies().nothing();
        log.receives(getJob("a1"))
                .replies()
                .shown()
                .shows("waiting.reason", "tenant_not_fetched")
                .shows("waiting.tenant_id", "a");
        log.receives(ask(new ExplainQueue(Commands.QUEUE))).replies().shown().shows("fetched_types.0.tenants.0", "b");
        log.restarts().receives(fetch(), getJob("a1")).replies().shown().is("active");
    }

    @Test
    void a_job_still_has_its_position_where_tenants_take_no_turns() {
        log.receives(of("a", "a1"), of("b", "urgent").priority(5), of("b", "b1"), some("c"));
        log.receives(getJob("b1")).replies().shown().shows("waiting.position", 3);
        log.receives(getJob("a1")).replies().shown().shows("waiting.position", 2);
    }

    @Test
    void bounds_of_tenants_hold_as_before() {
        log.receives(boundOf("a", 1), of("a", "a1"), some("b")).replies().nothing();
        log.receives(of("a", "a2")).rejects(TENANT_LIMIT_EXCEEDED);
    }
}
