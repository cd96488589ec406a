package io.floodgate.processor.batch;

import static io.floodgate.topics.command.ErrorCode.BACKEND_UNAVAILABLE;
import static io.floodgate.topics.command.ErrorCode.BATCH_EXCEEDS_BOUND;
import static io.floodgate.topics.command.ErrorCode.INVALID_PAYLOAD;
import static io.floodgate.topics.command.ErrorCode.INVALID_QUEUE;
import static io.floodgate.topics.command.ErrorCode.QUEUE_FULL;
import static io.floodgate.topics.command.ErrorCode.TENANT_LIMIT_EXCEEDED;
import static io.floodgate.topics.queue.Overflow.BLOCK;
import static io.floodgate.topics.queue.Overflow.DROP_OLDEST;
import static io.floodgate.topics.queue.Overflow.REJECT;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.testing.Cluster;
import io.floodgate.processor.testing.Commands;
import io.floodgate.processor.testing.Demands;
import io.floodgate.topics.command.QueueCommand.EndHold;
import io.floodgate.topics.command.QueueCommand.HoldRoom;
import io.floodgate.topics.command.QueueDemand;
import io.floodgate.topics.queue.Overflow;
import io.floodgate.topics.queue.QueueConfig;
import io.floodgate.topics.queue.TenantBounds;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Batches in parts that wait: for room for all of it, before the first part comes. Commands arrive at the first of two logs. */
class RoomForPartsTest extends Commands {
    private final Cluster cluster = new Cluster(2);

    private String queue(int partition) {
        return cluster.queue(partition, "queue");
    }

    private String id(int partition, String name) {
        return cluster.id(partition, name);
    }

    private Commands.Job job(int partition, String name) {
        return enqueue(id(partition, name)).to(queue(partition));
    }

    private void isBounded(int partition, long depth, Overflow strategy) {
        cluster.receives(partition, bound(queue(partition), new QueueConfig(depth, null, strategy, null)));
    }

    @BeforeEach
    void both_queues_are_there() {
        for (int p = 0; p < 2; p++) isBounded(p, 0, REJECT);
    }

    private void isThere(int partition, String name) {
        cluster.receives(partition, job(partition, name));
        cluster.log(partition).replies().line(0).is("available");
    }

    private void isGone(int partition, String name) {
        cluster.receives(partition, cancel(id(partition, name))).delivers();
    }

    private void asksForRoom(Commands.Job... jobs) {
        cluster.receives(0, room(ofSeconds(30), jobs).as("room")).delivers();
    }

    private long held() {
        return cluster.log(0).repliesTo("room").line(0).number("part");
    }

    private long comes(int first, Commands.Job... jobs) {
        String name = "part" + first;
        cluster.receives(0, holdIn(held(), first, jobs).as(name)).delivers();
        return cluster.log(0).repliesTo(name).line(0).number("part");
    }

    private void ends(boolean store, long... parts) {
        List<Long> all = new ArrayList<>(List.of(held()));
        for (long part : parts) all.add(part);
        cluster.receives(0, ask(new EndHold(all, store)).as("end")).delivers();
        for (int i = 0; i < all.size(); i++) cluster.receives(0, tick()).delivers();
    }

    private void depths(long here, long there) {
        cluster.log(0).status(queue(0)).shows("depth", here);
        cluster.log(1).status(queue(1)).shows("depth", there);
    }

    @AfterEach
    void counts_are_those_of_what_is_there() {
        for (int p = 0; p < 2; p++) assertThat(cluster.log(p).engine().audit()).isEmpty();
    }

    @Test
    void waits_for_all_of_its_room_and_then_comes_whatever_else_comes() {
        isBounded(0, 2, BLOCK);
        isBounded(1, 1, BLOCK);
        isThere(0, "x");
        asksForRoom(job(0, "a"), job(0, "b"), job(1, "c"));
        cluster.log(0).keepsWaiting("room").status(queue(0)).shows("blocked", 1);
        depths(1, 0);
        cluster.receives(0, patient(ofSeconds(60), job(0, "later")).as("later"));
        isGone(0, "x");
        depths(2, 1);
        cluster.receives(1, job(1, "hasty"));
        cluster.log(1).rejects(QUEUE_FULL);
        long first = comes(0, job(0, "a"));
        depths(2, 1);
        ends(true, first, comes(1, job(0, "b"), job(1, "c")));
        assertThat(cluster.log(0).repliesTo("end").lines()).hasSize(1);
        cluster.log(0).status(queue(0)).shows("available", 2).shows("size_bytes", sizeOf(0, "a", "b"));
        cluster.log(1).status(queue(1)).shows("available", 1);
        cluster.log(0).keepsWaiting("later");
        isGone(0, "a");
        cluster.log(0).repliesTo("later").line(0).is("available");
    }

    private long sizeOf(int partition, String... names) {
        long size = 0;
        for (String name : names) size += bytes(job(partition, name));
        return size;
    }

    private static long bytes(Commands.Job job) {
        return Demands.of(List.of(job.json())).getFirst().bytes();
    }

    @Test
    void is_rejected_when_its_time_is_up() {
        isBounded(1, 1, BLOCK);
        isThere(1, "x");
        asksForRoom(job(0, "a"), job(1, "c"));
        cluster.after(ofSeconds(29)).delivers();
        cluster.log(0).keepsWaiting("room");
        cluster.after(ofMillis(1_001)).delivers();
        cluster.log(0).repliesTo("room").rejected(QUEUE_FULL).with("queue", queue(1));
        depths(0, 1);
    }

    @Test
    void is_rejected_at_once_where_it_can_never_fit() {
        isBounded(1, 1, BLOCK);
        asksForRoom(job(1, "a"), job(1, "c"));
        cluster.log(0).repliesTo("room").rejected(BATCH_EXCEEDS_BOUND).with("queue", queue(1));
    }

    @Test
    void that_cannot_wait_is_rejected_for_all_of_it() {
        isBounded(1, 5, REJECT);
        for (String name : List.of("x", "y", "z")) isThere(1, name);
        cluster.receives(
                        0,
                        room(ofSeconds(0), job(1, "a"), job(1, "b"), job(1, "c"))
                                .as("room"))
                .delivers();
        cluster.log(0).repliesTo("room").rejected(QUEUE_FULL).with("depth", 3);
        cluster.log(1).status(queue(1)).shows("rejected", 3).shows("depth", 3);
    }

    @Test
    void is_gone_when_its_sender_leaves() {
        isBounded(1, 1, BLOCK);
        isThere(1, "x");
        asksForRoom(job(1, "a"));
        cluster.receives(0, withdraw("room")).delivers();
        isGone(1, "x");
        depths(0, 0);
        cluster.log(1).status(queue(1)).shows("blocked", 0);
    }

    @Test
    void leaves_no_room_behind_when_it_is_dropped() {
        isBounded(0, 2, BLOCK);
        asksForRoom(job(0, "a"), job(0, "b"));
        cluster.receives(0, patient(ofSeconds(60), job(0, "later")).as("later"));
        ends(false, comes(0, job(0, "a")));
        depths(1, 0);
        cluster.log(0).repliesTo("later").line(0).is("available");
    }

    @Test
    void leaves_no_room_behind_when_its_sender_says_nothing_more() {
        isBounded(1, 2, BLOCK);
        asksForRoom(job(1, "a"), job(1, "b"));
        long part = comes(0, job(1, "a"));
        cluster.after(Batches.PREPARED_WITHIN.plusSeconds(1))
                .receives(0, tick())
                .delivers();
        depths(0, 0);
        cluster.receives(0, ask(new EndHold(List.of(held(), part), true)));
        cluster.log(0).rejects(BACKEND_UNAVAILABLE);
    }

    @Test
    void what_did_not_come_is_free_when_the_rest_is_stored() {
        isBounded(0, 3, BLOCK);
        asksForRoom(job(0, "a"), job(0, "b"), job(0, "c"));
        depths(3, 0);
        ends(true, comes(0, job(0, "a")));
        depths(1, 0);
    }

    @Test
    void survives_restarts() {
        isBounded(1, 2, BLOCK);
        isThere(1, "x");
        asksForRoom(job(0, "a"), job(1, "b"), job(1, "c"));
        restart();
        isGone(1, "x");
        restart();
        depths(1, 2);
        long part = comes(0, job(0, "a"), job(1, "b"));
        restart();
        depths(1, 2);
        ends(true, part, comes(2, job(1, "c")));
        depths(1, 2);
        cluster.log(1).status(queue(1)).shows("available", 2);
    }

    private void restart() {
        for (int p = 0; p < 2; p++) cluster.log(p).restarts();
    }

    @Test
    void what_was_announced_comes_in_though_the_bound_was_lowered() {
        isBounded(0, 2, BLOCK);
        asksForRoom(job(0, "a"), job(0, "b"));
        isBounded(0, 1, REJECT);
        ends(true, comes(0, job(0, "a"), job(0, "b")));
        cluster.log(0).status(queue(0)).shows("available", 2);
    }

    @Test
    void what_was_not_announced_is_decided_like_anything_else() {
        isBounded(0, 1, BLOCK);
        isBounded(1, 1, BLOCK);
        asksForRoom(job(0, "a"));
        isThere(1, "x");
        cluster.receives(0, holdIn(held(), 0, job(0, "a"), job(1, "b")).as("part"))
                .delivers();
        cluster.log(0).repliesTo("part").rejected(QUEUE_FULL).with("queue", queue(1));
        // What it has taken of the room is free for anybody.
        depths(0, 1);
    }

    @Test
    void more_than_was_announced_is_decided_like_anything_else() {
        isBounded(0, 2, BLOCK);
        asksForRoom(job(0, "a"));
        isThere(0, "x");
        cluster.receives(0, holdIn(held(), 0, job(0, "a"), job(0, "b")).as("part"))
                .delivers();
        cluster.log(0).repliesTo("part").rejected(QUEUE_FULL);
        comes(0, job(0, "a"));
        depths(2, 0);
    }

    @Test
    void others_make_room_for_all_of_it_when_it_is_stored() {
        isBounded(1, 3, DROP_OLDEST);
        for (String name : List.of("x", "y", "z")) isThere(1, name);
        asksForRoom(job(1, "a"), job(1, "b"));
        depths(0, 3);
        long first = comes(0, job(1, "a"));
        long second = comes(1, job(1, "b"));
        cluster.log(1).status(queue(1)).shows("depth", 3).shows("available", 1).shows("dropped", 0);
        ends(true, first, second);
        cluster.log(1).status(queue(1)).shows("depth", 3).shows("available", 3).shows("dropped", 2);
    }

    @Test
    void others_stay_when_it_is_dropped() {
        isBounded(1, 2, DROP_OLDEST);
        for (String name : List.of("x", "y")) isThere(1, name);
        asksForRoom(job(1, "a"));
        ends(false, comes(0, job(1, "a")));
        cluster.log(1).status(queue(1)).shows("depth", 2).shows("available", 2).shows("dropped", 0);
    }

    @Test
    void waits_for_its_tenants_and_hears_when_they_are_full_by_then() {
        QueueConfig one = new QueueConfig(null, null, BLOCK, null, new TenantBounds(Map.of("acme", 1L)));
        cluster.receives(1, bound(queue(1), one));
        cluster.receives(1, job(1, "x").of("acme"));
        asksForRoom(job(1, "a").of("acme"));
        cluster.log(0).keepsWaiting("room");
        isGone(1, "x");
        cluster.receives(1, job(1, "y").of("acme"));
        cluster.log(1).replies().line(0).is("available");
        cluster.receives(0, holdIn(held(), 0, job(1, "a").of("acme")).as("part"))
                .delivers();
        cluster.log(0).repliesTo("part").rejected(TENANT_LIMIT_EXCEEDED).with("tenant_id", "acme");
    }

    @Test
    void more_than_a_batch_can_have_is_no_demand() {
        for (QueueDemand wrong : List.of(
                new QueueDemand("q", 10_001, 1, "x", Map.of()),
                new QueueDemand("q", 1, Long.MAX_VALUE, "x", Map.of()),
                new QueueDemand("q", 1, 1, "x", Map.of("acme", 2L)))) {
            cluster.receives(0, ask(new HoldRoom(List.of(wrong), ofSeconds(1))));
            cluster.log(0).rejects(INVALID_PAYLOAD);
        }
        cluster.receives(0, ask(new HoldRoom(List.of(new QueueDemand("no queue", 1, 1, "x", Map.of())), ofSeconds(1))));
        cluster.log(0).rejects(INVALID_QUEUE);
        QueueDemand twice = new QueueDemand("q", 1, 1, "x", Map.of());
        cluster.receives(0, ask(new HoldRoom(List.of(twice, twice), ofSeconds(1))));
        cluster.log(0).rejects(INVALID_PAYLOAD);
    }
}
