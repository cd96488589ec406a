package io.floodgate.processor.queue;

import static io.floodgate.topics.command.ErrorCode.BACKEND_UNAVAILABLE;
import static io.floodgate.topics.command.ErrorCode.MEMORY_FULL;
import static io.floodgate.topics.command.ErrorCode.TOO_MANY_QUEUES;
import static io.floodgate.topics.queue.Overflow.BLOCK;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.queue.state.Queues;
import io.floodgate.processor.testing.Ask;
import io.floodgate.processor.testing.Commands;
import io.floodgate.processor.testing.Heap;
import io.floodgate.processor.testing.TestPartition;
import io.floodgate.topics.command.Identity;
import io.floodgate.topics.command.PartitionSettings;
import java.util.function.Consumer;
import java.util.function.ObjIntConsumer;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What a partition may take in memory, and what happens once it has. */
class CapacityTest extends Commands {
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
    @ParameterizedTest
    @MethodSource
    void costs_what_is_said(String name, Consumer<TestPartition> thing) {
        long nothing = log.engine().memoryBytes();
        thing.accept(log);
        log.forgetsHistory();
        long reckoned = log.engine().memoryBytes() - nothing;
        // A second engine from the same stores: it is what it keeps in memory.
        long taken = Heap.takenBy(log::anotherEngine);
        assertThat(reckoned).isBetween((long) (taken * 0.7), (long) (taken * 1.3));
    }

    static Stream<Arguments> costs_what_is_said() {
        String[] queues = names(0, 1_000).toArray(String[]::new);
        return Stream.of(
                thing("a ready job", 10, (log, i) -> log.receives(fiveThousand(i, name -> QUEUE))),
                thing(
                        "a scheduled job",
                        25_000,
                        (log, i) -> log.receives(enqueue("j" + i).delay(ofHours(1 + i % 100)))),
                thing("a job of an order key of its own", 25_000, (log, i) -> log.receives(ordered(i, i))),
                thing("one of two jobs of an order key", 25_000, (log, i) -> log.receives(ordered(i, i / 2))),
                thing("a job of a long line", 25_000, (log, i) -> log.receives(ordered(i, i / 5_000))),
                thing("a lease", 250, (log, i) -> {
                    if (i % 50 == 0) log.receives(fiveThousand(i / 50, name -> QUEUE));
                    log.receives(fetch().count(100).by("worker-" + i % 20));
                }),
                thing(
                        "a drained queue",
                        10_000,
                        (log, i) -> log.receives(enqueue("j" + i).to("queue-" + i), fetch("queue-" + i), ack("j" + i))),
                thing(
                        "a waiter",
                        9_000,
                        (log, i) -> log.receives(fetch("a", "b")
                                .waiting(ofHours(1))
                                .by("worker-" + i)
                                .as("gateway-" + i % 4))),
                thing(
                        "a waiter at many queues",
                        500,
                        (log, i) ->
                                log.receives(fetch(queues).waiting(ofHours(1)).as("gateway"))),
                thing(
                        "a queue at which a client waits",
                        10_000,
                        (log, i) -> log.receives(
                                fetch("queue-" + i).waiting(ofHours(1)).as("gateway"))),
                thing("a worker", 5_000, (log, i) -> log.receives(enqueue("j" + i), fetch().by("worker-" + i))));
    }

    private static Arguments thing(String name, int count, ObjIntConsumer<TestPartition> one) {
        Consumer<TestPartition> all = log -> {
            for (int i = 0; i < count; i++) one.accept(log, i);
        };
        return Arguments.of(name, all);
    }

    private static Commands.Job ordered(int job, int key) {
        return enqueue("j" + job).member("order_key", "\"key-" + key + '"');
    }

    private static Stream<String> names(int from, int to) {
        return IntStream.range(from, to).mapToObj(i -> "queue-" + i);
    }

    private static Ask fiveThousand(int batch, UnaryOperator<String> queue) {
        return batchOfMadeIds(names(batch * 5_000, (batch + 1) * 5_000)
                .map(name -> enqueue(name).to(queue.apply(name)))
                .toArray(Commands.Job[]::new));
    }

    // queues

    @Test
    void there_are_at_most_so_many_queues() {
        for (int b = 0; b < 10; b++) log.receives(fiveThousand(b, name -> name));
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
