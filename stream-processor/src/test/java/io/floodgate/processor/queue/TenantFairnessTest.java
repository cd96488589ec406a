package io.floodgate.processor.queue;

import static io.floodgate.topics.command.ErrorCode.INVALID_PAYLOAD;
import static io.floodgate.topics.command.ErrorCode.INVALID_REQUEST;
import static io.floodgate.topics.queue.Overflow.DROP_OLDEST;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.store.Keys;
import io.floodgate.processor.store.TurnKeys;
import io.floodgate.processor.testing.Ask;
import io.floodgate.processor.testing.Commands.Job;
import io.floodgate.processor.testing.PartitionTest;
import io.floodgate.topics.limit.Allowance;
import io.floodgate.topics.queue.Deletion;
import io.floodgate.topics.queue.QueueConfig;
import io.floodgate.topics.queue.QueuePolicy;
import io.floodgate.topics.queue.TenantFairness;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Tenants that take turns. Every partition here is recounted after every record, unless it has very many jobs. */
class TenantFairnessTest extends PartitionTest {
    private static Ask fair() {
        return fair(TenantFairness.ON);
    }

    private static Ask fair(TenantFairness fairness) {
        return decide("q", QueuePolicy.NONE.with(fairness));
    }

    private static Job of(String tenant, String job) {
        return enqueue(job).of(tenant);
    }

    /** Jobs of a tenant, named after it: a1, a2, ... */
    private void jobs(String tenant, int from, int to) {
        for (int at = from; at <= to; at += 100) {
            List<Job> some = new ArrayList<>();
            for (int n = at; n <= Math.min(to, at + 99); n++)
                some.add(of(tenant, tenant + n).type(tenant + ".job"));
            log.receives(batch(some.toArray(Job[]::new)));
        }
    }

    private void jobs(String tenant, int count) {
        jobs(tenant, 1, count);
    }

    private void starts(int count, String... jobs) {
        log.receives(fetch().count(count)).replies().jobs(jobs);
    }

    /** Whose jobs are started next, one fetch after the other. */
    private List<String> starts(int count) {
        List<String> tenants = new ArrayList<>();
        while (tenants.size() < count) {
            log.receives(fetch().count(Math.min(100, count - tenants.size())));
            log.replies().lines().forEach(line -> tenants.add(line.text("type").replace(".job", "")));
        }
        return tenants;
    }

    private int storedTurns() {
        int[] turns = {0};
        log.state().stores().entities().scan(TurnKeys.allTurns(), Keys.after(TurnKeys.allTurns()), (key, value) -> {
            turns[0]++;
            return true;
        });
        return turns[0];
    }

    @Nested
    class the_order {
        @Test
        void goes_from_tenant_to_tenant() {
            log.receives(fair());
            jobs("a", 4);
            jobs("b", 2);
            jobs("c", 1);
            starts(10, "a1", "b1", "c1", "a2", "b2", "a3", "a4");
        }

        @Test
        void is_that_of_arrival_without_the_setting() {
            jobs("a", 3);
            jobs("b", 1);
            starts(10, "a1", "a2", "a3", "b1");
        }

        @Test
        void starts_the_job_of_a_new_tenant_within_two_whatever_another_one_has() {
            log.unaudited().receives(fair());
            jobs("a", 100_000);
            assertThat(starts(500)).containsOnly("a");
            jobs("b", 1);
            assertThat(starts(2)).contains("b");
            assertThat(starts(50)).containsOnly("a");
            jobs("b", 2, 2);
            assertThat(starts(2)).contains("b");
        }

        @Test
        void never_lets_a_tenant_come_twice_while_another_one_waits() {
            log.receives(fair());
            jobs("a", 3);
            // One that always has a single job waiting would come first every time, were its past forgotten.
            log.receives(of("b", "b1"));
            starts(1, "a1");
            starts(1, "b1");
            log.receives(of("b", "b2"));
            starts(1, "a2");
            starts(1, "b2");
            log.receives(of("b", "b3"));
            starts(2, "a3", "b3");
        }

        @Test
        void goes_by_weights_exactly() {
            log.unaudited().receives(fair(TenantFairness.of(Map.of("a", 3L))));
            jobs("a", 1_000);
            jobs("b", 1_000);
            List<String> tenants = starts(1_000);
            for (int n = 4; n <= tenants.size(); n++) {
                long ofA = tenants.subList(0, n).stream().filter("a"::equals).count();
                assertThat(Math.abs(ofA - n * 3.0 / 4)).as("after %d", n).isLessThanOrEqualTo(1);
            }
        }

        @Test
        void goes_by_weights_that_do_not_divide_the_round() {
            log.unaudited().receives(fair(TenantFairness.of(Map.of("a", 97L, "*", 89L))));
            jobs("a", 1_000);
            jobs("b", 1_000);
            long ofA = starts(1_000).stream().filter("a"::equals).count();
            assertThat(Math.abs(ofA - 1_000.0 * 97 / 186)).isLessThanOrEqualTo(1);
        }

        @Test
        void takes_a_new_weight_from_the_next_turn_on() {
            log.receives(fair());
            jobs("a", 8);
            jobs("b", 8);
            starts(2, "a1", "b1");
            log.receives(fair(TenantFairness.of(Map.of("a", 2L))));
            starts(7, "a2", "b2", "a3", "a4", "b3", "a5", "a6");
        }

        @Test
        void is_strict_between_priorities_each_of_which_has_its_own_turns() {
            log.receives(fair());
            jobs("a", 2);
            jobs("b", 2);
            log.receives(
                    of("a", "p1").priority(5),
                    of("a", "p2").priority(5),
                    of("b", "p3").priority(5));
            starts(10, "p1", "p3", "p2", "a1", "b1", "a2", "b2");
        }

        @Test
        void counts_jobs_without_a_tenant_as_those_of_the_default_one() {
            log.receives(fair(), enqueue("j1"), enqueue("j2"), enqueue("j3"), of("a", "a1"), of("_default", "j4"));
            starts(10, "j1", "a1", "j2", "j3", "j4");
        }

        @Test
        void goes_on_after_a_restart_wherever_it_comes() {
            log.receives(fair(TenantFairness.of(Map.of("b", 2L))));
            jobs("a", 6);
            jobs("b", 6);
            List<String> all = new ArrayList<>();
            for (int n = 0; n < 12; n++) {
                log.restarts();
                all.addAll(starts(1));
            }
            assertThat(String.join("", all)).isEqualTo("babbabbabaaa");
        }

        @Test
        void holds_for_the_types_that_a_fetch_wants() {
            log.receives(fair());
            jobs("a", 3);
            log.receives(
                    of("b", "m1").type("mail"),
                    of("a", "m2").type("mail"),
                    of("b", "m3").type("mail"));
            log.receives(fetch().count(2).only("mail")).replies().jobs("m1", "m2");
            starts(10, "a1", "m3", "a2", "a3");
        }

        @Test
        void serves_workers_that_wait() {
            log.receives(fair(), fetch().waiting(ofSeconds(60)).count(4).as("w"));
            log.receives(of("a", "a1"));
            log.repliesTo("w").jobs("a1");
        }
    }

    @Nested
    class jobs_that_come_back {
        @Test
        void wait_for_a_turn_of_their_tenant() {
            log.receives(fair(), of("a", "a1").retry("{'max_attempts':3,'initial_interval':'PT1S'}"));
            starts(1, "a1");
            jobs("b", 3);
            log.receives(nack("a1")).after(ofSeconds(10));
            starts(4, "b1", "a1", "b2", "b3");
        }

        @Test
        void come_first_among_the_jobs_of_their_tenant_when_given_back() {
            log.receives(fair());
            jobs("a", 3);
            jobs("b", 2);
            log.receives(fetch().by("w")).replies().jobs("a1");
            log.receives(leave("w"));
            starts(5, "b1", "a1", "b2", "a2", "a3");
        }
    }

    @Nested
    class with_limits {
        private Job limited(String tenant, String job, String limit) {
            return of(tenant, job).type(tenant + ".job").member("rate_limit", limit.replace('\'', '"'));
        }

        @Test
        void tenants_share_the_permits_of_a_key() {
            String limit = "{'key':'api','concurrency':1}";
            log.receives(fair());
            for (int n = 1; n <= 4; n++) log.receives(limited("a", "a" + n, limit));
            for (int n = 1; n <= 2; n++) log.receives(limited("b", "b" + n, limit));
            for (String next : List.of("a1", "b1", "a2", "b2", "a3", "a4")) {
                starts(3, next);
                log.receives(ack(next));
            }
        }

        @Test
        void a_tenant_that_was_held_back_catches_up_on_one_job_only() {
            log.receives(fair(), limited("a", "a1", "{'key':'k','rate':{'limit':1,'period':'PT1M'}}"));
            starts(1, "a1");
            for (int n = 2; n <= 5; n++)
                log.receives(limited("a", "a" + n, "{'key':'k','rate':{'limit':1,'period':'PT1M'}}"));
            jobs("b", 40);
            assertThat(starts(20)).containsOnly("b");
            log.receives(limited("a", "last", "{'key':'k','rate':{'limit':100,'period':'PT1S'}}"));
            log.after(ofSeconds(60));
            assertThat(String.join("", starts(9))).isEqualTo("aabababba");
        }

        @Test
        void drops_what_is_not_to_wait_when_its_turn_comes_and_no_sooner() {
            String limit = "{'key':'k','concurrency':1,'on_limit':'drop'}";
            log.receives(fair(), limited("a", "a1", limit));
            starts(1, "a1");
            jobs("b", 1);
            log.receives(limited("a", "a2", limit));
            jobs("b", 2, 3);
            starts(1, "b1");
            log.job("a2").is("available");
            starts(1, "b2");
            log.job("a2").is("discarded");
        }

        @Test
        void holds_where_the_queue_is_limited() {
            log.receives(fair(), bound("q", QueueConfig.of(new Allowance(2L, null, null))));
            jobs("a", 3);
            jobs("b", 2);
            starts(5, "a1", "b1");
            log.receives(ack("a1"), ack("b1"));
            starts(5, "a2", "b2");
        }
    }

    @Nested
    class the_order_of_arrival {
        @Test
        void decides_which_job_makes_room() {
            log.receives(fair(), bound(4, DROP_OLDEST));
            jobs("a", 2);
            jobs("b", 2);
            log.receives(of("b", "b3"));
            log.job("a1").is("discarded");
            log.receives(of("a", "a3"));
            log.job("a2").is("discarded");
            starts(5, "b1", "a3", "b2", "b3");
        }

        @Test
        void decides_which_job_of_a_tenant_with_a_bound_makes_room() {
            log.receives(fair(), bound(10, DROP_OLDEST), boundOf("b", 2));
            jobs("a", 2);
            jobs("b", 2);
            jobs("b", 3, 3);
            log.job("b1").is("discarded");
            starts(5, "a1", "b2", "a2", "b3");
        }

        @Test
        void says_since_when_the_oldest_job_waits() {
            log.receives(fair(), bound(10, DROP_OLDEST));
            jobs("b", 1);
            log.after(ofSeconds(5));
            jobs("a", 1);
            starts(1, "b1");
            String waitsSince = log.now().toString();
            log.after(ofSeconds(5));
            jobs("c", 1);
            assertThat(log.status("q").json().toString()).contains(waitsSince.replace("Z", ""));
        }
    }

    @Nested
    class the_setting {
        @Test
        void is_shown_and_goes_with_null() {
            log.receives(fair(TenantFairness.of(Map.of("a", 3L))));
            log.replies().line(0).showsJson("decided", "{\"tenant_fairness\":{\"weights\":{\"a\":3}}}");
            log.restarts();
            log.receives(fair(TenantFairness.OFF))
                    .replies()
                    .line(0)
                    .showsJson("decided", "{\"tenant_fairness\":false}");
            log.receives(bound("q", QueueConfig.NONE, "tenant_fairness"));
            log.replies().line(0).showsJson("decided", "{}");
        }

        @Test
        void is_decided_for_each_queue_and_has_proper_weights() {
            log.receives(decide("_default", QueuePolicy.NONE.with(TenantFairness.ON)))
                    .rejects(INVALID_REQUEST)
                    .with("field", "tenant_fairness");
            log.receives(fair(TenantFairness.of(Map.of("a", 101L)))).rejects(INVALID_PAYLOAD);
            log.receives(fair(TenantFairness.of(Map.of("no good", 1L)))).rejects(INVALID_PAYLOAD);
        }

        @Test
        void sorts_what_is_there_a_slice_at_a_time() {
            log.unaudited();
            jobs("a", 2_000);
            jobs("b", 3);
            log.receives(fair());
            for (int n = 0; n < 3; n++) {
                log.restarts();
                log.receives(tick());
                log.agreesWithItself();
            }
            for (int n = 0; n < 20; n++) log.receives(tick());
            log.agreesWithItself();
            assertThat(starts(6)).filteredOn("b"::equals).hasSize(3);
        }

        @Test
        void sorts_jobs_of_a_key_too() {
            for (int n = 1; n <= 4; n++)
                log.receives(of(n == 4 ? "b" : "a", "j" + n).member("rate_limit", "{\"key\":\"k\",\"concurrency\":3}"));
            log.receives(fair());
            log.restarts();
            starts(5, "j1", "j4", "j2");
        }

        @Test
        void goes_back_to_the_order_of_arrival() {
            log.receives(fair());
            jobs("a", 4);
            jobs("b", 2);
            starts(2, "a1", "b1");
            log.receives(fair(TenantFairness.OFF)).restarts();
            starts(2, "a2", "a3");
            log.receives(fair());
            starts(2, "a4", "b2");
            assertThat(storedTurns()).isZero();
            log.receives(fair(TenantFairness.OFF));
            jobs("c", 2);
            jobs("d", 1);
            starts(3, "c1", "c2", "d1");
            assertThat(storedTurns()).isZero();
        }

        @Test
        void stands_beside_bounds_of_tenants() {
            jobs("a", 3);
            log.receives(boundOf("a", 3));
            jobs("b", 1);
            log.receives(fair());
            starts(2, "a1", "b1");
            log.receives(bound("q", QueueConfig.NONE, "tenant_fairness"));
            jobs("b", 2, 2);
            starts(2, "a2", "a3");
            log.receives(bound("q", QueueConfig.NONE, "tenants"));
            starts(2, "b2");
        }
    }

    @Nested
    class what_is_stored {
        @Test
        void is_a_number_for_each_tenant_that_waits() {
            log.receives(fair());
            jobs("a", 2);
            jobs("b", 1);
            assertThat(storedTurns()).isEqualTo(2);
            starts(1);
            assertThat(storedTurns()).isEqualTo(3);
            log.receives(cancel("b1"));
            assertThat(storedTurns()).isEqualTo(2);
            starts(1);
            assertThat(storedTurns()).isZero();
        }

        @Test
        void goes_with_the_queue() {
            log.receives(fair());
            jobs("a", 2);
            starts(1);
            log.receives(delete("q", Deletion.DISCARD), ack("a1"), tick(), tick());
            assertThat(storedTurns()).isZero();
            jobs("b", 2);
            starts(2);
            log.receives(fair());
            jobs("a", 3, 4);
            log.receives(reset());
            for (int n = 0; n < 5; n++) log.receives(tick());
            assertThat(storedTurns()).isZero();
        }
    }
}
