package io.floodgate.processor.queue;

import static io.floodgate.processor.testing.Commands.ack;
import static io.floodgate.processor.testing.Commands.batchOfMadeIds;
import static io.floodgate.processor.testing.Commands.bound;
import static io.floodgate.processor.testing.Commands.cancel;
import static io.floodgate.processor.testing.Commands.configure;
import static io.floodgate.processor.testing.Commands.enqueue;
import static io.floodgate.processor.testing.Commands.extend;
import static io.floodgate.processor.testing.Commands.fetch;
import static io.floodgate.processor.testing.Commands.getQueue;
import static io.floodgate.processor.testing.Commands.nack;
import static io.floodgate.processor.testing.Commands.patient;
import static io.floodgate.processor.testing.Commands.pause;
import static io.floodgate.processor.testing.Commands.resume;
import static io.floodgate.processor.testing.Commands.watch;
import static io.floodgate.processor.testing.Commands.withdraw;
import static io.floodgate.topics.command.ErrorCode.BACKEND_UNAVAILABLE;
import static io.floodgate.topics.command.ErrorCode.MEMORY_FULL;
import static io.floodgate.topics.command.ErrorCode.TOO_MANY_QUEUES;
import static io.floodgate.topics.queue.Overflow.BLOCK;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.queue.state.Queues;
import io.floodgate.processor.testing.Commands;
import io.floodgate.processor.testing.Heap;
import io.floodgate.processor.testing.TestPartition;
import io.floodgate.topics.command.Identity;
import io.floodgate.topics.command.PartitionSettings;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a partition may take in memory, and what happens once it has. */
class CapacityTest {
    private final TestPartition log = new TestPartition().unaudited();

    private static PartitionSettings atMost(long bytes) {
        PartitionSettings initial = PartitionSettings.INITIAL;
        return new PartitionSettings(
                initial.completed(), initial.discarded(), initial.cancelled(), initial.unusedQueue(), bytes);
    }

    private void isFull() {
        log.receives(configure(atMost(2)));
    }

    // memory

    @Test
    void with_its_memory_spent_a_log_takes_no_new_jobs() {
        log.receives(enqueue("j1"));
        isFull();
        log.receives(enqueue("j2")).emits().rejects(MEMORY_FULL).with("max_memory_bytes", 2);
        log.receives(enqueue("j2").madeId()).rejects(MEMORY_FULL);
        log.receives(batchOfMadeIds(enqueue("j3"), enqueue("j4"))).rejects(MEMORY_FULL);
        log.receives(Commands.batch(enqueue("j3"), enqueue("j4"))).rejects(MEMORY_FULL);
        assertThat(log.knows("j2") || log.knows("j3")).isFalse();
        log.receives(configure(atMost(0)), enqueue("j2")).replies().shown().is("available");
    }

    @Test
    void nor_new_queues_and_waiters() {
        log.receives(enqueue("j1"), pause("q"));
        isFull();
        log.receives(pause("new")).rejects(MEMORY_FULL);
        log.receives(fetch().waiting(ofHours(1)).as("fetch"), watch(ofHours(1)).as("watch"));
        log.repliesTo("fetch").nothing();
        log.repliesTo("watch").rejected(BACKEND_UNAVAILABLE);
        assertThat(log.engine().queueNames()).containsExactly("q");
    }

    @Test
    void producers_that_wait_for_room_take_memory_too() {
        log.receives(bound(1, BLOCK), enqueue("j1"), enqueue("j2").to("other"));
        long before = log.engine().memoryBytes();
        log.receives(
                configure(atMost(before + 250)),
                patient(ofSeconds(30), enqueue("j3")).as("waiting"));
        log.keepsWaiting("waiting");
        assertThat(log.engine().memoryBytes()).isGreaterThanOrEqualTo(before + 250);
        log.receives(enqueue("j4").to("other")).rejects(MEMORY_FULL);
        log.receives(withdraw("waiting"), enqueue("j4").to("other"));
        log.replies().shown().is("available");
    }

    @Test
    void what_is_there_is_worked_on_as_ever() {
        log.receives(enqueue("j1"), enqueue("j2"), enqueue("j3"), enqueue("j4"));
        isFull();
        log.receives(pause("q"), resume("q"), getQueue("q")).replies().shown().is("active");
        log.receives(fetch().count(3).by("w1")).replies().jobs("j1", "j2", "j3");
        log.receives(extend("w1", null, "j1")).replies().shown().showsJson("lost", "[]");
        log.receives(ack("j1")).replies().shown().is("completed");
        log.receives(nack("j2")).replies().shown().is("retryable");
        log.receives(nack("j3").requeue()).replies().shown().is("available");
        log.receives(cancel("j4")).replies().shown().is("cancelled");
    }

    @Test
    void the_estimate_is_the_same_after_a_restart() {
        log.receives(
                enqueue("a").to("one"),
                enqueue("b").to("two").priority(5),
                enqueue("c").to("two"));
        log.receives(
                fetch("two").by("w1").as("a"),
                fetch("three").waiting(ofHours(1)).as("b"),
                watch(ofHours(1), "four").as("c"),
                enqueue("later").delay(ofHours(1)));
        long before = log.engine().memoryBytes();
        assertThat(log.restarts().engine().memoryBytes()).isEqualTo(before).isPositive();
    }

    @Test
    void the_estimate_of_nothing_is_nothing() {
        log.receives(enqueue("j1"), fetch().by("w1").waiting(ofHours(1)), ack("j1"));
        long empty = log.engine().memoryBytes();
        log.receives(enqueue("j2"), enqueue("j3").ttl(ofHours(1)), fetch().by("w1"));
        long some = log.engine().memoryBytes();
        log.receives(cancel("j2"), cancel("j3"));
        assertThat(log.engine().memoryBytes()).isEqualTo(empty).isLessThan(some);
    }

    /** What each thing really costs: within 30% of what is reckoned. */
    private static void costs(Consumer<TestPartition> thing) {
        TestPartition log = new TestPartition().unaudited();
        long nothing = log.engine().memoryBytes();
        thing.accept(log);
        log.forgetsHistory();
        long reckoned = log.engine().memoryBytes() - nothing;
        // A second engine from the same stores: it is what it keeps in memory.
        long taken = Heap.takenBy(log::anotherEngine);
        assertThat(reckoned).isBetween((long) (taken * 0.7), (long) (taken * 1.3));
    }

    @Test
    void a_ready_job_costs_what_is_said() {
        costs(log -> {
            for (int b = 0; b < 10; b++) {
                int from = b * 5000;
                log.receives(batchOfMadeIds(IntStream.range(0, 5000)
                        .mapToObj(i -> enqueue("j" + (from + i)))
                        .toArray(Commands.Job[]::new)));
            }
        });
    }

    @Test
    void a_scheduled_job_costs_what_is_said() {
        costs(log -> {
            for (int i = 0; i < 25_000; i++) log.receives(enqueue("j" + i).delay(ofHours(1 + i % 100)));
        });
    }

    @Test
    void a_lease_costs_what_is_said() {
        costs(log -> {
            for (int b = 0; b < 5; b++) {
                int from = b * 5000;
                log.receives(batchOfMadeIds(IntStream.range(0, 5000)
                        .mapToObj(i -> enqueue("j" + (from + i)))
                        .toArray(Commands.Job[]::new)));
            }
            for (int i = 0; i < 250; i++) log.receives(fetch().count(100).by("worker-" + i % 20));
        });
    }

    @Test
    void a_drained_queue_costs_what_is_said() {
        costs(log -> {
            for (int i = 0; i < 10_000; i++) {
                String queue = "queue-" + i;
                log.receives(enqueue("j" + i).to(queue), fetch(queue), ack("j" + i));
            }
        });
    }

    @Test
    void a_waiter_costs_what_is_said() {
        costs(log -> {
            for (int i = 0; i < 9_000; i++)
                log.receives(
                        fetch("a", "b").waiting(ofHours(1)).by("worker-" + i).as("gateway-" + i % 4));
        });
    }

    @Test
    void a_waiter_at_many_queues_costs_what_is_said() {
        String[] queues =
                IntStream.range(0, 1000).mapToObj(i -> "queue-%d".formatted(i)).toArray(String[]::new);
        costs(log -> {
            for (int i = 0; i < 500; i++)
                log.receives(fetch(queues).waiting(ofHours(1)).as("gateway"));
        });
    }

    @Test
    void a_queue_at_which_a_client_waits_costs_what_is_said() {
        costs(log -> {
            for (int i = 0; i < 10_000; i++)
                log.receives(fetch("queue-" + i).waiting(ofHours(1)).as("gateway"));
        });
    }

    @Test
    void a_worker_costs_what_is_said() {
        costs(log -> {
            for (int i = 0; i < 5_000; i++) log.receives(enqueue("j" + i), fetch().by("worker-" + i));
        });
    }

    // queues

    @Test
    void there_are_at_most_so_many_queues() {
        for (int b = 0; b < 10; b++) {
            int from = b * 5000;
            log.receives(batchOfMadeIds(IntStream.range(from, from + 5000)
                    .mapToObj(i -> enqueue("j" + i).to("queue-" + i))
                    .toArray(Commands.Job[]::new)));
        }
        assertThat(log.engine().queueNames()).hasSize(50_000);
        log.receives(enqueue("more").to("another")).rejects(TOO_MANY_QUEUES).with("max_queues", 50_000);
        log.receives(pause("another")).rejects(TOO_MANY_QUEUES);
        log.receives(Commands.batch(enqueue("more"), enqueue("most").to("another")))
                .rejects(TOO_MANY_QUEUES);
        log.receives(enqueue("more").to("queue-7")).replies().shown().is("available");
        log.receives(Commands.batch(enqueue("x").to("queue-7"), enqueue("y").to("queue-8")))
                .replies()
                .lines();
    }

    @Test
    void no_key_brings_more_queues_into_being_than_it_leaves_for_others() {
        TestPartition log = new TestPartition().unaudited();
        Identity flood = new Identity("flood", null, null);
        Identity other = new Identity("other", null, null);
        for (int i = 0; i < Queues.MOST / 2; i++)
            log.receives(enqueue("j" + i).to("flood-" + i).sentBy(flood));
        log.receives(enqueue("more").to("flood-more").sentBy(flood))
                .rejects(TOO_MANY_QUEUES)
                .with("max_queues", Queues.MOST);
        log.receives(enqueue("old").to("flood-7").sentBy(flood))
                .replies()
                .shown()
                .is("available");
        log.receives(enqueue("new").to("other").sentBy(other)).replies().shown().is("available");
        log.restarts();
        log.receives(enqueue("again").to("flood-again").sentBy(flood)).rejects(TOO_MANY_QUEUES);
        log.receives(enqueue("another").to("another").sentBy(other))
                .replies()
                .shown()
                .is("available");
    }
}
