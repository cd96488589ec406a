package io.floodgate.processor.tenant;

import static io.floodgate.topics.command.ErrorCode.BATCH_EXCEEDS_BOUND;
import static io.floodgate.topics.command.ErrorCode.TENANT_LIMIT_EXCEEDED;
import static io.floodgate.topics.queue.Overflow.BLOCK;
import static io.floodgate.topics.queue.Overflow.DROP_OLDEST;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.testing.Answered;
import io.floodgate.processor.testing.Ask;
import io.floodgate.processor.testing.Cluster;
import io.floodgate.processor.testing.Commands;
import io.floodgate.processor.testing.Ids;
import io.floodgate.processor.testing.TestPartition;
import io.floodgate.topics.JobState;
import io.floodgate.topics.command.AdminCommand.BulkAction;
import io.floodgate.topics.command.AdminCommand.GetTenant;
import io.floodgate.topics.command.JobFilter;
import io.floodgate.topics.command.TenantMessage.SetTenantBound;
import io.floodgate.topics.queue.Overflow;
import io.floodgate.topics.queue.QueueConfig;
import io.floodgate.topics.queue.TenantResource;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Bounds of a tenant over the queues of four partitions. */
class TenantGrantsTest extends Commands {
    private final Cluster cluster = new Cluster(4);
    private int number;

    private void bound(@Nullable Long maxJobs) {
        cluster.receives(
                        0,
                        ask(new SetTenantBound("acme", TenantResource.JOBS, maxJobs))
                                .as("operator" + ++number))
                .delivers();
    }

    private String queue(int partition) {
        return cluster.queue(partition, "queue" + partition);
    }

    private void strategy(int partition, Overflow strategy) {
        cluster.receives(partition, Commands.bound(queue(partition), new QueueConfig(100L, null, strategy, null)));
    }

    private String name(int partition, String beginning) {
        return Ids.nicknameIn(cluster.log(partition).id(), cluster.routing(), beginning);
    }

    private Job job(int partition, String beginning) {
        return enqueue(name(partition, beginning))
                .to(queue(partition))
                .of("acme")
                .madeId();
    }

    /** Sends it, and lets all messages arrive. */
    private Answered sends(int partition, Ask ask) {
        String asker = "sender" + ++number;
        cluster.receives(partition, ask.as(asker)).delivers();
        return cluster.log(partition).repliesTo(asker);
    }

    private void admits(int partition, String job) {
        sends(partition, job(partition, job)).line(0).is("available");
    }

    private long shown(int partition, String field) {
        return sends(partition, ask(new GetTenant("acme")))
                .line(1)
                .json()
                .at("/max_jobs/" + field)
                .longValue();
    }

    @Test
    void a_bound_holds_over_queues_of_all_partitions_and_names_what_uses_it_up() {
        bound(5L);
        admits(0, "a");
        admits(1, "b");
        admits(1, "c");
        admits(2, "d");
        admits(3, "e");
        sends(0, job(0, "f"))
                .rejected(TENANT_LIMIT_EXCEEDED)
                .with("tenant_id", "acme")
                .with("limit", "max_jobs")
                .with("current", 5)
                .with("maximum", 5)
                .with("queue", queue(0))
                .with("bound", 5)
                .with("retry_after_seconds", 5);
        assertThat(sends(0, job(0, "f")).message())
                .startsWith("Tenant 'acme' has reached its max_jobs (5) over all queues: ")
                .contains("2 in queue '%s'".formatted(queue(1)));
        sends(2, enqueue(name(2, "other")).to(queue(2)).of("beta").madeId())
                .line(0)
                .is("available");

        sends(3, cancel(name(3, "e")));
        admits(0, "g");
        sends(1, job(1, "h")).rejected(TENANT_LIMIT_EXCEEDED);
    }

    @Test
    void far_from_the_bound_no_message_is_sent_for_a_job() {
        bound(1_000L);
        admits(0, "first");
        for (int i = 0; i < 100; i++) {
            cluster.receives(0, job(0, "j" + i));
            assertThat(cluster.underway()).isZero();
        }
        assertThat(shown(0, "used")).isEqualTo(101);
        cluster.after(ofSeconds(10)).delivers();
        assertThat(shown(0, "grants")).as("the free ones are back").isEqualTo(101);
    }

    @Test
    void a_batch_comes_in_whole_or_not_at_all() {
        bound(4L);
        sends(0, batchOfMadeIds(job(0, "a"), job(1, "b"), job(1, "c"))).line(0).is("available");
        sends(0, batchOfMadeIds(job(0, "d"), job(2, "e"))).rejected(TENANT_LIMIT_EXCEEDED);
        sends(0, batchOfMadeIds(job(0, "f"), job(0, "g"), job(0, "h"), job(0, "i"), job(0, "j")))
                .rejected(BATCH_EXCEEDS_BOUND)
                .with("maximum", 4);
        cluster.after(ofSeconds(10)).works();
        admits(3, "k");
        sends(2, job(2, "l")).rejected(TENANT_LIMIT_EXCEEDED);
    }

    @Test
    void a_producer_waits_until_a_job_ends_in_another_partition() {
        strategy(1, BLOCK);
        bound(1L);
        admits(0, "a");
        Ask waits = patient(ofSeconds(30), job(1, "b")).as("waiting");
        cluster.receives(1, waits).delivers();
        cluster.log(1).keepsWaiting("waiting");
        // Others overtake it.
        sends(1, enqueue(name(1, "other")).to(queue(1)).of("beta").madeId())
                .line(0)
                .is("available");

        sends(0, cancel(name(0, "a")));
        cluster.delivers();
        cluster.log(1).repliesTo("waiting").line(0).is("available");
    }

    @Test
    void drop_oldest_drops_jobs_of_the_same_tenant_only() {
        strategy(1, DROP_OLDEST);
        sends(1, enqueue(name(1, "other")).to(queue(1)).of("beta").madeId());
        bound(2L);
        admits(0, "a");
        admits(1, "b");
        admits(1, "c");
        TestPartition log = cluster.log(1);
        log.job(name(1, "b")).is("discarded");
        log.job(name(1, "other")).is("available");
        sends(0, job(0, "d")).rejected(TENANT_LIMIT_EXCEEDED);
    }

    @Test
    void jobs_that_were_there_count_and_a_lower_bound_drops_nothing() {
        for (int i = 0; i < 3; i++) admits(0, "a" + i);
        bound(2L);
        sends(1, job(1, "b")).rejected(TENANT_LIMIT_EXCEEDED).with("current", 3);
        sends(0, cancel(name(0, "a0")));
        sends(1, job(1, "b")).rejected(TENANT_LIMIT_EXCEEDED);
        sends(0, cancel(name(0, "a1")));
        admits(1, "b");
        bound(4L);
        admits(2, "c");
        admits(3, "d");
        bound(2L);
        sends(0, cancel(name(0, "a2")));
        sends(0, job(0, "e")).rejected(TENANT_LIMIT_EXCEEDED);
        bound(null);
        admits(0, "e");
    }

    @Test
    void a_dead_letter_needs_a_grant_to_be_retried() {
        bound(2L);
        sends(0, job(0, "a").maxAttempts(1));
        sends(0, fetch(queue(0)));
        sends(0, nack(name(0, "a")));
        admits(1, "b");
        admits(2, "c");
        sends(0, retryDead(name(0, "a"))).rejected(TENANT_LIMIT_EXCEEDED);
        sends(1, cancel(name(1, "b")));
        sends(0, retryDead(name(0, "a"))).shown().is("available");
        sends(3, job(3, "d")).rejected(TENANT_LIMIT_EXCEEDED);
    }

    @Test
    void dead_letters_that_are_retried_together_get_grants_as_far_as_there_are_some() {
        bound(4L);
        for (int i = 0; i < 3; i++) sends(0, job(0, "a" + i).maxAttempts(1));
        sends(0, fetch(queue(0)).count(3));
        for (int i = 0; i < 3; i++) sends(0, nack(name(0, "a" + i)));
        admits(1, "b");
        admits(2, "c");
        sends(0, bulk("again", BulkAction.RETRY, JobFilter.of(JobState.DISCARDED)));
        cluster.works();
        cluster.after(ofSeconds(1)).works();
        assertThat(shown(0, "used")).isEqualTo(2);
        sends(3, job(3, "d")).rejected(TENANT_LIMIT_EXCEEDED).with("current", 4);
    }

    @Test
    void jobs_of_a_queue_that_moves_take_their_grants_along() {
        bound(2L);
        admits(0, "a");
        admits(0, "b");
        sends(1, makeQueue(queue(1), QueueConfig.NONE));
        sends(0, move(queue(0), queue(1)));
        cluster.works();
        assertThat(shown(1, "used")).isEqualTo(2);
        assertThat(shown(1, "grants")).isEqualTo(2);
        sends(2, job(2, "c")).rejected(TENANT_LIMIT_EXCEEDED);
        sends(1, cancel(name(0, "a")));
        admits(2, "c");
    }

    @Test
    void a_job_is_rejected_if_the_home_does_not_answer() {
        bound(2L);
        int home = cluster.routing().ofTenant("acme").partition();
        int other = (home + 1) % 4;
        cluster.receives(other, job(other, "a").as("asker"));
        cluster.log(other).keepsWaiting("asker");
        cluster.log(other).after(Duration.ofSeconds(5));
        cluster.log(other).repliesTo("asker").rejected(TENANT_LIMIT_EXCEEDED).with("reason", "no_answer");
    }
}
