package io.floodgate.processor.queue;

import static io.floodgate.topics.command.ErrorCode.JOB_TYPE_NOT_ALLOWED;
import static io.floodgate.topics.command.ErrorCode.NOT_FOUND;
import static io.floodgate.topics.command.ErrorCode.PERMISSION_DENIED;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.testing.Cluster;
import io.floodgate.processor.testing.Ids;
import io.floodgate.processor.testing.PartitionTest;
import io.floodgate.topics.queue.Access;
import io.floodgate.topics.queue.QueueConfig;
import io.floodgate.topics.queue.QueuePolicy;
import java.util.List;
import org.junit.jupiter.api.Test;

class AllowedTypesTest extends PartitionTest {
    private static final QueuePolicy PAYMENTS = QueuePolicy.NONE.with(new Access(List.of("payment.*"), null));

    @Test
    void a_job_of_another_type_is_rejected() {
        log.receives(decide("q", PAYMENTS), enqueue("j1").type("email.send"));
        log.rejects(JOB_TYPE_NOT_ALLOWED).with("queue", "q").with("job_type", "email.send");
        assertThat(log.knows("j1")).isFalse();
        log.receives(enqueue("j1").type("payment.charge")).replies().shown().is("available");
    }

    @Test
    void a_batch_is_rejected_as_a_whole() {
        log.receives(decide("q", PAYMENTS));
        log.receives(batch(enqueue("j1").to("free"), enqueue("j2").type("email.send")))
                .rejects(JOB_TYPE_NOT_ALLOWED);
        assertThat(log.knows("j1") || log.knows("j2")).isFalse();
        log.receives(hold(0, enqueue("j3").type("email.send"))).rejects(JOB_TYPE_NOT_ALLOWED);
    }

    @Test
    void a_batch_over_logs_is_rejected_as_a_whole_and_its_ids_are_free() {
        Cluster cluster = new Cluster(4);
        String here = cluster.queue(0, "queue");
        String there = cluster.queue(1, "queue");
        cluster.receives(1, decide(there, PAYMENTS));
        cluster.receives(
                        0,
                        batch(enqueue("j1").to(here), enqueue("j2").to(there).type("email.send"))
                                .as("asker"))
                .delivers();
        cluster.log(0).repliesTo("asker").rejected(JOB_TYPE_NOT_ALLOWED);
        cluster.log(0).status(here).shows("depth", 0);
    }

    @Test
    void a_claimed_id_is_free_again_after_the_rejection() {
        Cluster cluster = new Cluster(4);
        int home = cluster.routing().ofJob(Ids.id("j1")).partition();
        int away = (home + 1) % 4;
        String queue = cluster.queue(away, "queue");
        cluster.receives(away, decide(queue, PAYMENTS));
        cluster.receives(home, enqueue("j1").to(queue).as("asker")).delivers();
        cluster.log(home).repliesTo("asker").rejected(JOB_TYPE_NOT_ALLOWED);
        cluster.receives(home, getJob("j1"));
        cluster.log(home).rejects(NOT_FOUND);
    }

    @Test
    void a_record_of_a_plain_producer_is_announced_as_rejected() {
        log.receives(decide("q", PAYMENTS));
        log.receivesRawUnanswered(null, enqueueWithoutId().type("email.send").json());
        log.event("floodgate.record_rejected").shows("code", "JOB_TYPE_NOT_ALLOWED");
    }

    @Test
    void a_change_removes_nothing_that_is_there() {
        log.receives(enqueue("j1").type("email.send"), decide("q", PAYMENTS));
        log.job("j1").is("available");
    }

    @Test
    void the_policy_of_all_queues_is_for_new_queues_too() {
        log.receives(decide(QueueConfig.DEFAULT, PAYMENTS), enqueue("j1"));
        log.rejects(JOB_TYPE_NOT_ALLOWED);
        log.receives(decide("q", QueuePolicy.NONE.with(new Access(List.of("*"), null))), enqueue("j1"));
        log.replies().shown().is("available");
    }

    @Test
    void a_queue_of_named_producers_takes_nothing_from_those_without_a_name() {
        log.receives(decide("q", QueuePolicy.NONE.with(new Access(null, List.of("billing")))), enqueue("j1"));
        log.rejects(PERMISSION_DENIED).with("queue", "q");
        log.receives(decide("q", QueuePolicy.NONE, "producers"), enqueue("j1"));
        log.replies().shown().is("available");
    }
}
