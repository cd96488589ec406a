package io.floodgate.processor.queue;

import static io.floodgate.topics.command.ErrorCode.BATCH_EXCEEDS_BOUND;
import static io.floodgate.topics.command.ErrorCode.INVALID_PAYLOAD;
import static io.floodgate.topics.command.ErrorCode.INVALID_REQUEST;
import static io.floodgate.topics.command.ErrorCode.QUEUE_FULL;
import static io.floodgate.topics.command.ErrorCode.TENANT_LIMIT_EXCEEDED;
import static io.floodgate.topics.queue.Overflow.BLOCK;
import static io.floodgate.topics.queue.Overflow.DROP_OLDEST;
import static io.floodgate.topics.queue.Overflow.REJECT;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.queue.job.Jobs;
import io.floodgate.processor.queue.state.Memory;
import io.floodgate.processor.testing.Ask;
import io.floodgate.processor.testing.Cluster;
import io.floodgate.processor.testing.Commands.Job;
import io.floodgate.processor.testing.PartitionTest;
import io.floodgate.processor.testing.TestPartition;
import io.floodgate.topics.command.Command;
import io.floodgate.topics.command.QueueCommand.EndHold;
import io.floodgate.topics.command.QueueCommand.EnqueueBatch;
import io.floodgate.topics.queue.QueueConfig;
import io.floodgate.topics.queue.TenantBounds;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Every partition here is recounted after every record, tenants included. */
class TenantBoundsTest extends PartitionTest {
    private static Job of(String tenant, String job) {
        return enqueue(job).of(tenant);
    }

    private void admits(Ask job) {
        log.receives(job).replies().line(0).is("available");
    }

    @Nested
    class a_configuration {
        @Test
        void is_merged_by_tenant_and_shown() {
            log.receives(boundOf("*", 2), boundOf("acme", 5), boundOf("beta", 0));
            log.replies().line(0).showsJson("decided", "{\"tenants\":{\"*\":2,\"acme\":5,\"beta\":0}}");
            log.receives(bound("q", QueueConfig.NONE, "tenants.acme"));
            log.replies().line(0).showsJson("decided", "{\"tenants\":{\"*\":2,\"beta\":0}}");
            log.restarts();
            log.status("q").showsJson("config", "{\"tenants\":{\"*\":2,\"beta\":0}}");
            log.receives(bound("q", QueueConfig.NONE, "tenants"));
            log.replies().line(0).showsJson("decided", "{}");
        }

        @Test
        void names_a_hundred_tenants_at_most() {
            Map<String, Long> many = new TreeMap<>();
            for (int i = 0; i < TenantBounds.MOST; i++) many.put("t" + i, 1L);
            log.receives(bound("q", QueueConfig.of(new TenantBounds(many))));
            log.receives(boundOf("t7", 2)).replies().line(0).is("active");
            log.receives(boundOf("one_more", 1)).rejects(INVALID_REQUEST).with("field", "tenants");
            many.put("one_more", 1L);
            log.receives(bound("r", QueueConfig.of(new TenantBounds(many)))).rejects(INVALID_PAYLOAD);
        }

        @Test
        void is_rejected_for_what_cannot_be_a_tenant() {
            log.receives(boundOf("-x", 1)).rejects(INVALID_PAYLOAD);
        }
    }

    @Nested
    class reject {
        @Test
        void rejects_one_too_many_of_a_tenant_and_takes_those_of_others() {
            log.receives(bound(10, REJECT), boundOf("acme", 2), of("acme", "a1"), of("acme", "a2"));
            admits(of("beta", "b1"));
            log.receives(of("acme", "a3"));
            log.rejects(TENANT_LIMIT_EXCEEDED)
                    .with("tenant_id", "acme")
                    .with("limit", "max_queue_depth")
                    .with("current", 2)
                    .with("maximum", 2)
                    .with("queue", "q")
                    .with("depth", 2)
                    .with("bound", 2)
                    .with("queue_depth", 3)
                    .with("retry_after_seconds", 5);
            assertThat(log.replies().message())
                    .isEqualTo("Tenant 'acme' has reached its max_queue_depth (2) in queue 'q'");
            assertThat(log.knows("a3")).isFalse();
            admits(of("beta", "b2"));
            log.status("q").shows("depth", 4).shows("rejected", 1);
        }

        @Test
        void holds_the_bound_of_the_queue_too() {
            log.receives(bound(2, REJECT), boundOf("*", 2), of("acme", "a1"), of("beta", "b1"));
            log.receives(of("acme", "a2")).rejects(QUEUE_FULL).with("bound", 2);
            log.receives(bound(3, REJECT), of("acme", "a2"));
            log.receives(of("acme", "a3")).rejects(TENANT_LIMIT_EXCEEDED);
        }

        @Test
        void counts_jobs_without_a_proper_tenant_as_those_of_the_default_one() {
            log.receives(boundOf("*", 2), enqueue("j1"), enqueue("j2").member("meta", "{\"tenant_id\":7}"));
            log.receives(of("no good", "j3")).rejects(TENANT_LIMIT_EXCEEDED).with("tenant_id", "_default");
            log.receives(boundOf("_default", 3));
            admits(of("no good", "j3"));
        }

        @Test
        void counts_jobs_that_run_wait_or_are_held_and_frees_what_has_ended() {
            log.receives(boundOf("acme", 4), of("acme", "a1"), fetch());
            log.receives(of("acme", "a2").delay(ofSeconds(60)), of("acme", "a3").pending());
            log.receives(hold(0, of("acme", "a4"))).receives(of("acme", "a5")).rejects(TENANT_LIMIT_EXCEEDED);
            log.receives(ack("a1"));
            admits(of("acme", "a5"));
            log.receives(cancel("a2"));
            admits(of("acme", "a6"));
            log.receives(of("acme", "a7")).rejects(TENANT_LIMIT_EXCEEDED);
        }

        @Test
        void a_failed_job_keeps_its_place() {
            log.receives(boundOf("acme", 1), of("acme", "a1"), fetch(), nack("a1"));
            log.receives(of("acme", "a2")).rejects(TENANT_LIMIT_EXCEEDED);
            log.after(ofSeconds(10)).receives(fetch()).replies().jobs("a1");
        }

        @Test
        void a_dead_letter_needs_room_of_its_tenant_to_be_retried() {
            log.receives(of("acme", "a1").maxAttempts(1), fetch(), nack("a1"));
            log.receives(boundOf("acme", 1), of("acme", "a2"));
            log.receives(retryDead("a1")).rejects(TENANT_LIMIT_EXCEEDED).with("tenant_id", "acme");
            log.receives(cancel("a2"), retryDead("a1")).replies().shown().is("available");
            log.receives(of("acme", "a3")).rejects(TENANT_LIMIT_EXCEEDED);
        }

        @Test
        void a_batch_is_taken_whole_or_not_at_all() {
            log.receives(boundOf("acme", 2), of("acme", "a1"));
            log.receives(batch(of("beta", "b1"), of("acme", "a2"), of("acme", "a3")));
            log.rejects(TENANT_LIMIT_EXCEEDED).with("current", 1);
            assertThat(log.knows("b1")).isFalse();
            log.receives(batch(of("acme", "a4"), of("acme", "a5"), of("acme", "a6")));
            log.rejects(BATCH_EXCEEDS_BOUND)
                    .with("reason", "batch_exceeds_bound")
                    .with("tenant_id", "acme");
            log.receives(batch(of("beta", "b1"), of("acme", "a2"), of("beta", "b2")));
            log.status("q").shows("depth", 4);
        }

        @Test
        void a_large_batch_holds_what_it_will_store() {
            log.receives(boundOf("acme", 1), hold(0, of("acme", "a1")).as("batch"));
            long part = log.repliesTo("batch").line(0).number("part");
            log.receives(of("acme", "x")).rejects(TENANT_LIMIT_EXCEEDED);
            log.receives(ask(new EndHold(List.of(part), false)), tick());
            admits(of("acme", "x"));
        }

        @Test
        void holds_for_jobs_whose_ids_are_at_home_in_other_logs() {
            Cluster cluster = new Cluster(2);
            String queue = cluster.queue(0, "q");
            String one = cluster.id(1, "one");
            String two = cluster.id(1, "two");
            cluster.receives(0, bound(queue, QueueConfig.of(new TenantBounds(Map.of("acme", 1L)))));
            cluster.receives(1, of("acme", one).to(queue).as("one")).delivers();
            cluster.receives(1, of("acme", two).to(queue).as("two")).delivers();
            cluster.log(0).repliesTo("one").line(0).is("available");
            cluster.log(1).repliesTo("two").rejected(TENANT_LIMIT_EXCEEDED);
        }

        @Test
        void lowering_drops_nothing_and_no_bound_takes_all() {
            log.receives(boundOf("acme", 2), of("acme", "a1"), of("acme", "a2"), boundOf("acme", 1));
            log.receives(cancel("a1"), of("acme", "a3")).rejects(TENANT_LIMIT_EXCEEDED);
            log.receives(bound("q", QueueConfig.NONE, "tenants"));
            admits(of("acme", "a3"));
            log.status("q").shows("depth", 2);
        }

        /** Each tenant gets only its own rejections, with its own figures. */
        @Test
        void is_reported_for_each_tenant() {
            log.receives(boundOf("*", 1), of("acme", "a1"), of("beta", "b1"));
            for (int i = 0; i < 50; i++) log.receives(of("acme", "x" + i));
            log.receives(of("beta", "b2")).emits();
            log.after(ofSeconds(1));
            assertThat(log.events().stream()
                            .filter(event -> event.text("type").equals("backpressure.rejected"))
                            .map(event -> event.json().at("/data").toString()))
                    .containsExactly(
                            "{\"queue\":\"q\",\"depth\":1,\"bound\":1,\"tenant_id\":\"acme\",\"job_type\":\"test.job\",\"strategy\":\"reject\",\"count\":49}",
                            "{\"queue\":\"q\",\"depth\":1,\"bound\":1,\"tenant_id\":\"beta\",\"job_type\":\"test.job\",\"strategy\":\"reject\",\"count\":1}");
            assertThat(log.events().stream().map(event -> event.text("type")))
                    .containsExactly(
                            "backpressure.rejected",
                            "backpressure.rejected",
                            "tenant.limit_exceeded",
                            "tenant.limit_exceeded");
        }

        @Test
        void is_reported_once_and_then_counted() {
            log.receives(boundOf("acme", 1), of("acme", "a1"), of("acme", "a2"), of("acme", "a3"));
            log.event("backpressure.rejected")
                    .shows("tenant_id", "acme")
                    .shows("depth", 1)
                    .shows("bound", 1)
                    .shows("count", 1);
            log.event("tenant.limit_exceeded")
                    .shows("tenant_id", "acme")
                    .shows("queue", "q")
                    .shows("limit", "max_queue_depth")
                    .shows("current", 1)
                    .shows("maximum", 1);
            log.status("q").shows("rejected", 2);
        }
    }

    @Nested
    class drop_oldest {
        @Test
        void drops_the_tenants_own_oldest_when_only_its_bound_is_reached() {
            log.receives(bound(10, DROP_OLDEST), boundOf("*", 2));
            log.receives(
                    of("beta", "b1"),
                    of("acme", "a1"),
                    of("acme", "a2"),
                    of("beta", "b2").priority(-5));
            admits(of("acme", "a3"));
            log.job("a1").is("discarded");
            for (String kept : List.of("a2", "b1", "b2")) log.job(kept).is("available");
            log.restarts();
            admits(of("acme", "a4"));
            log.job("a2").is("discarded");
        }

        @Test
        void drops_the_queues_oldest_when_only_its_bound_is_reached() {
            log.receives(bound(3, DROP_OLDEST), boundOf("*", 3));
            log.receives(of("beta", "b1"), of("acme", "a1"), of("acme", "a2"));
            admits(of("acme", "a3"));
            log.job("b1").is("discarded");
        }

        @Test
        void drops_no_more_than_needed_when_both_are_reached() {
            log.receives(bound(3, DROP_OLDEST), boundOf("acme", 2));
            log.receives(of("beta", "b1"), of("acme", "a1"), of("acme", "a2"));
            admits(of("acme", "a3"));
            log.job("a1").is("discarded");
            log.job("b1").is("available");
            log.receives(batch(of("acme", "a4"), of("beta", "b2")));
            log.job("a2").is("discarded");
            log.job("b1").is("discarded");
            log.status("q").shows("depth", 3).shows("dropped", 3);
        }

        @Test
        void rejects_when_the_tenant_has_nothing_to_drop() {
            log.receives(bound(10, DROP_OLDEST), boundOf("acme", 1), of("acme", "a1"), fetch(), of("beta", "b1"));
            log.receives(of("acme", "a2")).rejects(TENANT_LIMIT_EXCEEDED).with("strategy", "drop_oldest");
            log.job("b1").is("available");
        }
    }

    @Nested
    class block {
        private Ask waits(String tenant, String job) {
            return patient(ofSeconds(30), of(tenant, job)).as(job);
        }

        private Ask batchWaits(String asker, Job... jobs) {
            Command command =
                    new EnqueueBatch(Arrays.stream(jobs).map(Job::json).toList(), false, ofSeconds(30));
            return ask(command).as(asker);
        }

        @Test
        void who_is_held_up_by_its_tenants_bound_holds_up_no_other_client() {
            log.receives(bound(3, BLOCK), boundOf("*", 1), of("acme", "a1"));
            log.receives(waits("acme", "a2"), waits("acme", "a3")).keepsWaiting("a2", "a3");
            admits(of("beta", "b1"));
            log.receives(cancel("a1")).repliesTo("a2").line(0).is("available");
            log.keepsWaiting("a3");
            log.receives(cancel("a2")).repliesTo("a3").line(0).is("available");
        }

        @Test
        void those_whose_tenants_have_room_come_in_in_the_order_they_came() {
            log.receives(bound(2, BLOCK), boundOf("*", 1), of("acme", "a1"), of("gamma", "c1"));
            log.receives(waits("acme", "a2"), waits("beta", "b1"), waits("delta", "d1"), waits("gamma", "c2"));
            log.keepsWaiting("a2", "b1", "d1", "c2");
            log.receives(cancel("c1")).repliesTo("b1").line(0).is("available");
            log.keepsWaiting("a2", "d1", "c2");
            log.receives(of("epsilon", "hasty")).rejects(QUEUE_FULL);
            log.receives(cancel("a1")).repliesTo("a2").line(0).is("available");
            log.keepsWaiting("d1", "c2").status("q").shows("depth", 2).shows("blocked", 2);
        }

        @Test
        void no_client_of_the_same_tenant_overtakes() {
            log.receives(boundOf("acme", 2), bound(0, BLOCK), of("acme", "a1"), of("acme", "a2"));
            log.receives(batchWaits("both", of("acme", "x"), of("acme", "y"), of("beta", "z")));
            log.receives(cancel("a1")).keepsWaiting("both");
            log.receives(of("acme", "hasty")).rejects(TENANT_LIMIT_EXCEEDED).with("current", 1);
            log.receives(of("beta", "hasty")).rejects(TENANT_LIMIT_EXCEEDED);
            admits(of("gamma", "c1"));
            log.receives(cancel("a2"));
            assertThat(log.repliesTo("both").lines()).hasSize(4);
        }

        @Test
        void a_batch_holds_up_all_of_its_tenants() {
            log.receives(bound(10, BLOCK), boundOf("acme", 1), of("acme", "a1"));
            log.receives(batchWaits("batch", of("acme", "a2"), of("beta", "b1")), waits("beta", "b2"));
            log.keepsWaiting("batch", "b2");
            admits(of("gamma", "c1"));
            log.receives(cancel("a1")).repliesTo("b2").line(0).is("available");
            assertThat(log.repliesTo("batch").lines()).hasSize(3);
        }

        @Test
        void who_has_waited_long_enough_hears_of_the_tenants_bound() {
            log.receives(bound(0, BLOCK), boundOf("acme", 1), of("acme", "a1"), waits("acme", "a2"));
            log.restarts();
            log.after(ofSeconds(31));
            log.repliesTo("a2")
                    .rejected(TENANT_LIMIT_EXCEEDED)
                    .with("tenant_id", "acme")
                    .with("waited_ms", 30_000);
            log.status("q").shows("blocked", 0);
        }

        @Test
        void the_order_survives_a_restart() {
            log.receives(bound(10, BLOCK), boundOf("*", 1), of("acme", "a1"), of("beta", "b1"));
            log.receives(waits("acme", "a2"), waits("beta", "b2"), waits("beta", "b3"));
            log.restarts();
            log.receives(cancel("b1")).repliesTo("b2").line(0).is("available");
            log.keepsWaiting("a2", "b3");
        }

        @Test
        void a_tenants_bound_that_comes_later_holds_for_those_who_wait_already() {
            log.receives(bound(1, BLOCK), of("acme", "a1"), waits("acme", "a2"), waits("beta", "b1"));
            log.receives(boundOf("acme", 1), bound(3, BLOCK))
                    .repliesTo("b1")
                    .line(0)
                    .is("available");
            log.keepsWaiting("a2");
            log.receives(bound("q", QueueConfig.NONE, "tenants"))
                    .repliesTo("a2")
                    .line(0)
                    .is("available");
        }
    }

    @Nested
    class what_is_shown {
        @Test
        void has_the_depth_of_each_tenant_for_a_client_that_asks() {
            log.receives(boundOf("*", 5), of("acme", "a1"), of("beta", "b1"), of("beta", "b2"), enqueue("j1"));
            log.receives(getQueue("q"));
            log.replies()
                    .line(0)
                    .showsJson("tenant_depths", "{\"beta\":2,\"_default\":1,\"acme\":1}")
                    .shows("tenants_counted", true);
            log.status("q").hides("tenant_depths");
        }

        @Test
        void is_the_same_after_a_restart_as_is_how_fast_the_queue_fills() {
            log.receives(boundOf("acme", 2), bound(60, REJECT), of("acme", "a1"));
            log.after(ofSeconds(20)).receives(of("acme", "a2"));
            log.after(ofSeconds(20)).receives(of("beta", "b1"));
            log.after(ofSeconds(20)).receives(getQueue("q"));
            log.status("q").shows("fills_per_second", 0.05);
            log.restarts();
            log.status("q").shows("fills_per_second", 0.05);
            log.receives(of("acme", "a3")).rejects(TENANT_LIMIT_EXCEEDED).with("current", 2);
        }

        @Test
        void says_nothing_of_tenants_where_they_are_not_bounded() {
            log.receives(of("acme", "a1"), getQueue("q"));
            log.replies().line(0).hides("tenant_depths");
        }
    }

    @Nested
    class counting {
        @Test
        void begins_with_the_jobs_that_are_there() {
            log.receives(
                    of("acme", "a1"),
                    of("acme", "a2"),
                    enqueue("j1"),
                    enqueue("r1").to("r").of("acme"));
            log.receives(boundOf("acme", 3), tick());
            admits(of("acme", "a3"));
            log.receives(of("acme", "a4")).rejects(TENANT_LIMIT_EXCEEDED).with("current", 3);
            log.receives(fetch().count(10));
            for (String job : List.of("a1", "a2", "a3")) log.receives(ack(job));
            admits(of("acme", "a4"));
        }

        @Test
        void goes_on_in_slices_while_jobs_come_and_go() {
            for (int i = 0; i < 3 * Jobs.SLICE; i += 100) log.receives(batchOf(i, 100));
            log.receives(boundOf("acme", 1));
            log.receives(of("acme", "late"), cancel("j7"), fetch().count(3), cancel("j1207"), tick());
            log.restarts();
            log.receives(of("acme", "later"), cancel("j9"), cancel("j1209"), tick(), tick(), tick());
            log.receives(of("acme", "x")).rejects(TENANT_LIMIT_EXCEEDED);
            long depth = log.status("q").number("depth");
            log.rejects(TENANT_LIMIT_EXCEEDED).with("current", (int) depth);
        }

        private Ask batchOf(int first, int jobs) {
            Job[] some = new Job[jobs];
            for (int i = 0; i < jobs; i++) some[i] = of("acme", "j" + (first + i));
            return batch(some);
        }

        @Test
        void ends_with_the_last_bound_and_may_begin_again() {
            log.receives(boundOf("acme", 1), of("acme", "a1"));
            long counted = log.engine().memoryBytes();
            log.receives(bound("q", QueueConfig.NONE, "tenants"));
            assertThat(log.engine().memoryBytes())
                    .isEqualTo(counted - Memory.TENANT - "acme".length() - Memory.READY_JOB);
            log.receives(of("acme", "a2"), boundOf("acme", 2), tick());
            log.receives(of("acme", "a3")).rejects(TENANT_LIMIT_EXCEEDED).with("current", 2);
        }

        @Test
        void keeps_nothing_of_a_tenant_without_jobs() {
            TestPartition other = new TestPartition();
            other.receives(bound(5, REJECT));
            log.receives(boundOf("*", 5));
            for (TestPartition each : List.of(other, log))
                for (int i = 0; i < 50; i++) each.receives(of("t" + i, "j" + i), fetch(), ack("j" + i));
            assertThat(log.engine().memoryBytes()).isEqualTo(other.engine().memoryBytes());
            assertThat(log.restarts().engine().memoryBytes())
                    .isEqualTo(other.engine().memoryBytes());
        }

        @Test
        void ends_with_a_reset() {
            log.receives(boundOf("acme", 1), of("acme", "a1"), reset(), tick(), tick());
            admits(of("acme", "a1"));
            admits(of("acme", "a2"));
        }
    }
}
