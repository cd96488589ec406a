package io.floodgate.processor.tenant;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.testing.Ask;
import io.floodgate.processor.testing.Cluster;
import io.floodgate.processor.testing.Commands;
import io.floodgate.topics.command.AdminCommand.GetTenant;
import io.floodgate.topics.command.TenantMessage.SetTenantBound;
import io.floodgate.topics.queue.QueueConfig;
import io.floodgate.topics.queue.QueuePolicy;
import io.floodgate.topics.queue.TenantFairness;
import io.floodgate.topics.queue.TenantResource;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Bounds of a tenant on its running jobs, over the queues of four partitions. */
class TenantRunningTest extends Commands {
    private final Cluster cluster = new Cluster(4);
    private int number;

    private void bound(@Nullable Long running) {
        cluster.receives(
                        0,
                        ask(new SetTenantBound("acme", TenantResource.RUNNING, running))
                                .as("operator" + ++number))
                .delivers();
    }

    private String queue(int partition) {
        return cluster.queue(partition, "queue" + partition);
    }

    private String name(int partition, String beginning) {
        return cluster.id(partition, beginning);
    }

    private void add(int partition, String tenant, String... jobs) {
        for (String job : jobs)
            cluster.receives(
                    partition,
                    enqueue(name(partition, job))
                            .to(queue(partition))
                            .of(tenant)
                            .madeId()
                            .as("e" + ++number));
        cluster.delivers();
    }

    /** The jobs that a fetch gets, as many as there are. */
    private String[] fetches(int partition, Ask fetch) {
        String asker = "f" + ++number;
        cluster.receives(partition, fetch.as(asker)).delivers();
        return cluster.log(partition).repliesTo(asker).lines().stream()
                .filter(line -> !line.text("id").isEmpty())
                .map(line -> line.text("id"))
                .toArray(String[]::new);
    }

    private void waits(int partition, String asker) {
        cluster.receives(
                        partition,
                        fetch(queue(partition)).waiting(ofSeconds(60)).as(asker))
                .delivers();
    }

    private void acks(int partition, String job) {
        cluster.receives(partition, ack(name(partition, job)).as("a" + ++number))
                .delivers();
    }

    private long shown(int partition, String field) {
        String asker = "g" + ++number;
        cluster.receives(partition, ask(new GetTenant("acme")).as(asker)).delivers();
        return cluster.log(partition)
                .repliesTo(asker)
                .line(1)
                .json()
                .at("/max_concurrency/" + field)
                .longValue();
    }

    private void runs(int partition, String... jobs) {
        for (String job : jobs) cluster.log(partition).job(name(partition, job)).is("active");
    }

    private void stands(int partition, String... jobs) {
        for (String job : jobs) cluster.log(partition).job(name(partition, job)).is("available");
    }

    @Test
    void no_more_jobs_run_than_the_bound_in_any_partition_and_one_that_ends_lets_another_start() {
        bound(2L);
        for (int partition = 0; partition < 4; partition++) add(partition, "acme", "a" + partition, "b" + partition);
        for (int partition = 0; partition < 4; partition++) {
            waits(partition, "one" + partition);
            waits(partition, "two" + partition);
        }
        runs(0, "a0", "b0");
        stands(1, "a1", "b1");
        stands(3, "a3", "b3");
        acks(0, "a0");
        acks(0, "b0");
        runs(1, "a1");
        runs(2, "a2");
        stands(1, "b1");
        assertThat(shown(1, "used") + shown(2, "used")).isEqualTo(2);
    }

    @Test
    void jobs_of_others_are_not_kept_back_however_many_stand_before_them() {
        for (int i = 0; i < 700; i++) add(1, "acme", "a" + i);
        add(1, "beta", "other");
        bound(1L);
        cluster.works();
        waits(1, "first");
        runs(1, "a0");
        waits(1, "second");
        cluster.works();
        runs(1, "other");
        stands(1, "a1");
        waits(1, "third");
        cluster.log(1).keepsWaiting("third");
        acks(1, "a0");
        runs(1, "a1");
    }

    @Test
    void jobs_of_others_start_while_the_home_does_not_answer() {
        bound(1L);
        int partition = (cluster.routing().ofTenant("acme").partition() + 1) % 4;
        for (int i = 0; i < 150; i++) add(partition, "acme", "a" + i);
        add(partition, "beta", "other");
        cluster.receives(
                partition, fetch(queue(partition)).waiting(ofSeconds(60)).as("waiting"));
        stands(partition, "a0");
        runs(partition, "other");
    }

    @Test
    void a_tenant_gets_grants_where_workers_always_find_jobs_of_others() {
        bound(2L);
        int partition = (cluster.routing().ofTenant("acme").partition() + 1) % 4;
        add(partition, "acme", "a");
        for (int i = 0; i < 20; i++) add(partition, "beta", "b" + i);
        fetches(partition, fetch(queue(partition)));
        runs(partition, "b0");
        fetches(partition, fetch(queue(partition)));
        runs(partition, "a");
    }

    @Test
    void a_fetch_that_does_not_wait_gets_a_job_as_soon_as_it_is_known_that_it_may_run() {
        bound(1L);
        add(1, "acme", "a");
        assertThat(fetches(1, fetch(queue(1)))).hasSize(1);
        add(2, "acme", "b");
        cluster.receives(2, fetch(queue(2)).as("polling")).delivers();
        cluster.after(ofSeconds(1)).delivers();
        cluster.log(2).repliesTo("polling").nothing();
        acks(1, "a");
        assertThat(fetches(2, fetch(queue(2)))).hasSize(1);
    }

    @Test
    void turns_of_tenants_go_on_without_the_one_at_its_bound() {
        cluster.receives(
                1,
                Commands.bound(queue(1), QueueConfig.of(QueuePolicy.NONE.with(TenantFairness.of(Map.of("acme", 3L))))));
        bound(1L);
        add(1, "acme", "a", "b", "c");
        add(1, "beta", "d", "e");
        waits(1, "first");
        waits(1, "second");
        waits(1, "third");
        runs(1, "a", "d", "e");
        stands(1, "b", "c");
    }

    @Test
    void jobs_that_run_when_the_bound_is_set_count_and_are_not_stopped() {
        add(1, "acme", "a", "b", "c");
        assertThat(fetches(1, fetch(queue(1)).count(3))).hasSize(3);
        bound(2L);
        add(2, "acme", "d");
        waits(2, "waiting");
        acks(1, "a");
        stands(2, "d");
        acks(1, "b");
        runs(2, "d");
        bound(null);
        add(3, "acme", "e", "f", "g");
        assertThat(fetches(3, fetch(queue(3)).count(3))).hasSize(3);
    }

    @Test
    void a_lease_that_ends_frees_its_grant_and_no_free_one_is_kept() {
        bound(1L);
        add(1, "acme", "a");
        add(2, "acme", "b");
        assertThat(fetches(1, fetch(queue(1)).lease(ofSeconds(2)))).hasSize(1);
        waits(2, "waiting");
        stands(2, "b");
        cluster.after(ofSeconds(3)).works();
        runs(2, "b");
        acks(2, "b");
        cluster.after(ofSeconds(10)).works();
        long grants = 0;
        for (int partition = 0; partition < 4; partition++) grants += shown(partition, "grants");
        assertThat(grants).isZero();
    }
}
