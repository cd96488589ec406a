package io.floodgate.processor.batch;

import static io.floodgate.topics.command.ErrorCode.BATCH_EXCEEDS_BOUND;
import static io.floodgate.topics.command.ErrorCode.DUPLICATE;
import static io.floodgate.topics.command.ErrorCode.QUEUE_FULL;
import static io.floodgate.topics.queue.Overflow.BLOCK;
import static io.floodgate.topics.queue.Overflow.REJECT;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.testing.Ask;
import io.floodgate.processor.testing.Cluster;
import io.floodgate.processor.testing.Commands;
import io.floodgate.topics.command.QueueCommand.EnqueueBatch;
import io.floodgate.topics.queue.Overflow;
import io.floodgate.topics.queue.QueueConfig;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Batches over several partitions that wait for room. Each partition has a queue of one job; most commands arrive at the last log. */
class WaitingBatchTest extends Commands {
    private static final String STANDING = "BHME";

    private final Cluster cluster = new Cluster(4);

    private String queue(int partition) {
        return cluster.queue(partition, "queue");
    }

    private String id(int partition, String name) {
        return cluster.id(partition, name);
    }

    private Commands.Job job(int partition, String name) {
        return enqueue(id(partition, name)).to(queue(partition));
    }

    private void areBounded(Overflow strategy, int... partitions) {
        for (int p : partitions) cluster.receives(p, bound(queue(p), new QueueConfig(1L, null, strategy, null)));
    }

    private void isThere(int partition, String name) {
        cluster.receives(partition, job(partition, name));
        cluster.log(partition).replies().line(0).is("available");
    }

    private void ends(int partition, String name) {
        cluster.receives(partition, cancel(id(partition, name)));
    }

    private void isGone(int partition, String name) {
        ends(partition, name);
        cluster.delivers();
    }

    private static Ask waiting(Commands.Job... jobs) {
        List<byte[]> json = Stream.of(jobs).map(Commands.Job::json).toList();
        return ask(new EnqueueBatch(json, false, ofSeconds(30)));
    }

    /** Into the first two logs, of which one is full. */
    private void waitsForTheFirstOfTwo() {
        areBounded(BLOCK, 0, 1);
        isThere(0, "x");
        cluster.receives(3, waiting(job(0, "a"), job(1, "b")).as("batch")).delivers();
        cluster.log(3).keepsWaiting("batch");
    }

    private void depths(long... depths) {
        for (int p = 0; p < depths.length; p++) cluster.log(p).status(queue(p)).shows("depth", depths[p]);
    }

    private void isStored(int partition, String asker) {
        // The tails of two jobs, and how full their queues are.
        assertThat(cluster.log(partition).repliesTo(asker).lines()).hasSize(4);
    }

    private void nothingIsLeft() {
        for (int p = 0; p < 4; p++) {
            assertThat(cluster.log(p).engine().waiters()).isZero();
            for (char kind : STANDING.toCharArray())
                assertThat(cluster.log(p).state().entriesButPosition().keySet())
                        .noneMatch(key -> key.startsWith("entities/%02x".formatted((int) kind)));
        }
    }

    @Test
    void comes_in_at_once_where_there_is_room() {
        areBounded(BLOCK, 0, 1, 2);
        cluster.receives(3, waiting(job(2, "c"), job(0, "a"), job(1, "b")).as("batch"))
                .delivers();
        assertThat(cluster.log(3).repliesTo("batch").lines()).hasSize(6);
        cluster.log(3).repliesTo("batch").line(0).shows("queue", queue(2));
        nothingIsLeft();
    }

    @Test
    void waits_for_all_of_its_room_and_holds_nothing_meanwhile() {
        areBounded(BLOCK, 0, 1, 2);
        isThere(0, "x");
        isThere(1, "y");
        cluster.receives(3, waiting(job(0, "a"), job(1, "b"), job(2, "c")).as("batch"))
                .delivers();
        cluster.log(3).keepsWaiting("batch");
        depths(1, 1, 0);
        cluster.log(0).status(queue(0)).shows("blocked", 1).shows("rejected", 0);
        isGone(0, "x");
        cluster.log(3).keepsWaiting("batch");
        depths(0, 1, 0);
        cluster.log(1).status(queue(1)).shows("blocked", 1);
        isThere(0, "meanwhile");
        isThere(2, "too");
        isGone(1, "y");
        depths(1, 0, 1);
        isGone(0, "meanwhile");
        cluster.log(3).keepsWaiting("batch");
        isGone(2, "too");
        assertThat(cluster.log(3).repliesTo("batch").lines()).hasSize(6);
        depths(1, 1, 1);
        nothingIsLeft();
    }

    @Test
    void is_overtaken_by_no_client_where_it_stands() {
        waitsForTheFirstOfTwo();
        cluster.receives(0, patient(ofSeconds(30), job(0, "later")).as("later"));
        ends(0, "x");
        // Its turn has come, but it is not here yet.
        cluster.receives(0, job(0, "hasty"));
        cluster.log(0).rejects(QUEUE_FULL);
        cluster.log(0).keepsWaiting("later");
        cluster.delivers();
        isStored(3, "batch");
        cluster.log(0).keepsWaiting("later");
        isGone(0, "a");
        cluster.log(0).repliesTo("later").line(0).is("available");
        nothingIsLeft();
    }

    @Test
    void lets_those_behind_it_in_when_its_turn_was_in_vain_and_keeps_its_place() {
        waitsForTheFirstOfTwo();
        cluster.receives(0, patient(ofSeconds(30), job(0, "later")).as("later"));
        isThere(1, "y");
        isGone(0, "x");
        cluster.log(0).repliesTo("later").line(0).is("available");
        cluster.log(1).status(queue(1)).shows("blocked", 1);
        cluster.receives(0, patient(ofSeconds(30), job(0, "last")).as("last"));
        isGone(1, "y");
        cluster.log(0).status(queue(0)).shows("blocked", 2);
        isGone(0, "later");
        isStored(3, "batch");
        cluster.log(0).keepsWaiting("last");
    }

    @Test
    void does_not_wait_for_another_that_wants_the_same_two_queues() {
        areBounded(BLOCK, 0, 1);
        // Each is ahead in one of the partitions: neither gets both at its first try.
        cluster.receives(0, waiting(job(0, "a"), job(1, "b")).as("first"));
        cluster.receives(1, waiting(job(1, "c"), job(0, "d")).as("second"));
        cluster.delivers();
        depths(1, 1);
        boolean first = cluster.log(0).knows(id(0, "a"));
        isStored(first ? 0 : 1, first ? "first" : "second");
        cluster.log(first ? 1 : 0).keepsWaiting(first ? "second" : "first");
        isGone(0, first ? "a" : "d");
        isGone(1, first ? "b" : "c");
        isStored(first ? 1 : 0, first ? "second" : "first");
        nothingIsLeft();
    }

    @Test
    void is_rejected_when_its_time_is_up() {
        waitsForTheFirstOfTwo();
        cluster.after(ofSeconds(29)).delivers();
        cluster.log(3).keepsWaiting("batch");
        cluster.after(ofMillis(1_001)).delivers();
        cluster.log(3)
                .repliesTo("batch")
                .rejected(QUEUE_FULL)
                .with("queue", queue(0))
                .with("strategy", "block")
                .with("depth", 1);
        cluster.log(0).status(queue(0)).shows("blocked", 0).shows("rejected", 1);
        nothingIsLeft();
    }

    @Test
    void is_gone_when_its_sender_leaves() {
        waitsForTheFirstOfTwo();
        cluster.receives(0, patient(ofSeconds(30), job(0, "later")).as("later"));
        cluster.receives(3, withdraw("batch")).delivers();
        cluster.log(0).status(queue(0)).shows("blocked", 1);
        isGone(0, "x");
        cluster.log(0).repliesTo("later").line(0).is("available");
        cluster.log(3).keepsWaiting("batch");
        nothingIsLeft();
    }

    @Test
    void is_gone_when_its_sender_leaves_just_as_its_turn_comes() {
        waitsForTheFirstOfTwo();
        ends(0, "x");
        cluster.receives(3, withdraw("batch")).delivers();
        depths(0, 0);
        nothingIsLeft();
    }

    @Test
    void is_gone_when_its_sender_leaves_while_it_is_asked_for() {
        areBounded(BLOCK, 0, 1);
        cluster.receives(3, waiting(job(0, "a"), job(1, "b")).as("batch"));
        cluster.receives(3, withdraw("batch")).delivers();
        depths(0, 0);
        cluster.log(3).keepsWaiting("batch");
        nothingIsLeft();
    }

    @Test
    void survives_a_restart_of_every_log() {
        waitsForTheFirstOfTwo();
        for (int p = 0; p < 4; p++) cluster.log(p).restarts();
        ends(0, "x");
        for (int p = 0; p < 4; p++) cluster.log(p).restarts();
        cluster.delivers();
        isStored(3, "batch");
        nothingIsLeft();
    }

    @Test
    void does_not_wait_where_it_can_never_fit() {
        areBounded(BLOCK, 0, 1);
        isThere(0, "x");
        cluster.receives(3, waiting(job(0, "a"), job(1, "b"), job(1, "c")).as("batch"))
                .delivers();
        cluster.log(3).repliesTo("batch").rejected(BATCH_EXCEEDS_BOUND).with("queue", queue(1));
        nothingIsLeft();
    }

    @Test
    void does_not_wait_when_another_queue_rejects_it() {
        areBounded(BLOCK, 0);
        areBounded(REJECT, 1);
        isThere(0, "x");
        isThere(1, "y");
        cluster.receives(3, waiting(job(0, "a"), job(1, "b")).as("batch")).delivers();
        cluster.log(3).repliesTo("batch").rejected(QUEUE_FULL).with("strategy", "reject");
        nothingIsLeft();
    }

    @Test
    void hears_of_an_id_that_was_taken_meanwhile() {
        waitsForTheFirstOfTwo();
        isThere(1, "b");
        isGone(0, "x");
        cluster.log(3).repliesTo("batch").rejected(DUPLICATE);
        depths(0, 1);
        nothingIsLeft();
    }

    @Test
    void keeps_no_client_out_for_longer_than_it_waits_though_its_log_is_silent() {
        waitsForTheFirstOfTwo();
        cluster.receives(0, patient(ofSeconds(60), job(0, "later")).as("later"));
        ends(0, "x");
        cluster.log(0).keepsWaiting("later");
        cluster.log(0).after(ofSeconds(31)).repliesTo("later").line(0).is("available");
    }

    @Test
    void a_job_whose_id_is_at_home_elsewhere_waits_in_the_same_way() {
        areBounded(BLOCK, 0);
        isThere(0, "own");
        Commands.Job job = enqueue(id(1, "foreign")).to(queue(0));
        cluster.receives(1, patient(ofSeconds(30), job).as("first")).delivers();
        cluster.log(1).keepsWaiting("first");
        cluster.log(0).status(queue(0)).shows("blocked", 1).shows("depth", 1);
        isGone(0, "own");
        assertThat(cluster.log(1).repliesTo("first").lines()).hasSize(2);
        cluster.log(1).repliesTo("first").line(0).is("available");
        cluster.receives(1, job.as("again")).delivers();
        cluster.log(1).repliesTo("again").rejected(DUPLICATE);
        nothingIsLeft();
    }

    @Test
    void its_id_is_free_when_its_time_is_up() {
        areBounded(BLOCK, 0);
        isThere(0, "own");
        Commands.Job job = enqueue(id(1, "foreign")).to(queue(0));
        cluster.receives(1, patient(ofSeconds(30), job).as("first")).delivers();
        cluster.after(ofSeconds(31)).delivers();
        cluster.log(1).repliesTo("first").rejected(QUEUE_FULL).with("strategy", "block");
        isGone(0, "own");
        cluster.receives(1, job.as("again")).delivers();
        cluster.log(0).repliesTo("again").line(0).is("available");
    }
}
