package io.floodgate.processor.queue;

import static io.floodgate.topics.command.ErrorCode.BACKEND_UNAVAILABLE;
import static io.floodgate.topics.command.ErrorCode.BATCH_EXCEEDS_BOUND;
import static io.floodgate.topics.command.ErrorCode.DUPLICATE;
import static io.floodgate.topics.command.ErrorCode.QUEUE_FULL;
import static io.floodgate.topics.queue.Overflow.BLOCK;
import static io.floodgate.topics.queue.Overflow.DROP_OLDEST;
import static io.floodgate.topics.queue.Overflow.REJECT;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.testing.Ask;
import io.floodgate.processor.testing.Cluster;
import io.floodgate.processor.testing.Ids;
import io.floodgate.processor.testing.PartitionTest;
import io.floodgate.topics.command.QueueCommand.EnqueueBatch;
import io.floodgate.topics.queue.QueueConfig;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class BlockingTest extends PartitionTest {
    private void isFullWith(String... jobs) {
        log.receives(bound(jobs.length, BLOCK));
        for (String job : jobs) log.receives(enqueue(job));
    }

    @Test
    void a_client_that_says_nothing_is_rejected_at_once() {
        isFullWith("a");
        log.receives(enqueue("b")).rejects(QUEUE_FULL).with("strategy", "block");
    }

    @Test
    void who_waits_comes_in_when_there_is_room() {
        isFullWith("a");
        log.receives(patient(ofSeconds(30), enqueue("b")).as("b")).keepsWaiting("b");
        log.status("q").shows("depth", 1).shows("blocked", 1);
        log.receives(fetch(), ack("a"));
        log.repliesTo("b").line(0).is("available");
        log.status("q").shows("depth", 1).shows("blocked", 0).shows("rejected", 0);
    }

    @Test
    void the_event_of_a_job_says_how_long_its_producer_was_blocked() {
        isFullWith("a");
        log.receives(patient(ofSeconds(30), enqueue("b")).as("b"));
        log.after(ofSeconds(3)).receives(cancel("a"));
        assertThat(log.events().stream()
                        .filter(event -> event.text("type").equals("job.enqueued"))
                        .map(event -> event.json().at("/data/waited_ms").longValue()))
                .containsExactly(3_000L);
    }

    /** Nor is it rejected by one that it would have fitted into as things were when it came. */
    @Test
    void who_waits_goes_on_waiting_when_a_bound_comes_that_has_no_room_for_it() {
        isFullWith("a");
        log.receives(patient(ofSeconds(30), enqueue("b")).as("b"));
        long size = log.status("q").number("size_bytes");
        log.receives(bound("q", new QueueConfig(2L, size + 10, REJECT, null)));
        log.keepsWaiting("b");
        log.receives(cancel("a"));
        log.repliesTo("b").line(0).is("available");
    }

    @Test
    void a_queue_that_drops_from_now_on_lets_in_who_waits() {
        isFullWith("a", "b");
        log.receives(patientBatch("x", "y").as("batch"));
        log.receives(bound(2, DROP_OLDEST));
        assertThat(log.repliesTo("batch").lines()).hasSize(3);
        log.status("q").shows("depth", 2).shows("blocked", 0).shows("dropped", 2);
    }

    @Test
    void who_has_waited_long_enough_is_rejected() {
        isFullWith("a");
        log.receives(patient(ofSeconds(30), enqueue("b")).as("b"));
        log.after(ofSeconds(29)).keepsWaiting("b");
        log.after(ofMillis(1_001));
        log.repliesTo("b").rejected(QUEUE_FULL).with("strategy", "block").with("retry_after_seconds", 5);
        assertThat(log.knows("b")).isFalse();
        log.status("q").shows("blocked", 0).shows("rejected", 1);
        log.receives(cancel("a"));
        log.status("q").shows("depth", 0);
    }

    @Test
    void first_come_first_served() {
        isFullWith("a", "b");
        log.receives(
                patient(ofSeconds(30), enqueue("c")).as("c"),
                patient(ofSeconds(30), enqueue("d")).as("d"));
        log.receives(cancel("a")).repliesTo("c").line(0).is("available");
        log.keepsWaiting("d");
        log.receives(cancel("b")).repliesTo("d").line(0).is("available");
    }

    @Test
    void a_batch_waits_for_all_of_its_room_and_no_client_overtakes_it() {
        isFullWith("a", "b", "c");
        log.receives(
                patientBatch("x", "y").as("batch"),
                patient(ofSeconds(30), enqueue("z")).as("z"));
        log.receives(cancel("a")).keepsWaiting("batch", "z");
        log.receives(enqueue("hasty")).rejects(QUEUE_FULL);
        log.receives(cancel("b"));
        assertThat(log.repliesTo("batch").lines()).hasSize(3);
        log.keepsWaiting("z").status("q").shows("depth", 3);
        log.receives(cancel("c")).repliesTo("z").line(0).is("available");
    }

    private static Ask patientBatch(String... jobs) {
        return ask(
                new EnqueueBatch(Stream.of(jobs).map(job -> enqueue(job).json()).toList(), false, ofSeconds(30)));
    }

    @Test
    void a_batch_that_can_never_fit_does_not_wait() {
        isFullWith("a");
        log.receives(patientBatch("x", "y")).rejects(BATCH_EXCEEDS_BOUND);
    }

    @Test
    void a_batch_over_two_queues_holds_nothing_while_it_waits() {
        log.receives(bound(1, BLOCK), bound("r", new QueueConfig(1L, null, BLOCK, null)));
        log.receives(enqueue("a"), enqueue("b").to("r"));
        log.receives(ask(new EnqueueBatch(
                        List.of(enqueue("x").json(), enqueue("y").to("r").json()), false, ofSeconds(30)))
                .as("batch"));
        log.receives(cancel("a")).keepsWaiting("batch");
        log.status("q").shows("depth", 0);
        log.receives(enqueue("c"));
        log.replies().line(0).is("available");
        log.receives(cancel("b")).keepsWaiting("batch");
        log.receives(cancel("c"));
        assertThat(log.repliesTo("batch").lines()).hasSize(4);
    }

    @Test
    void a_higher_bound_lets_them_in_and_so_does_none() {
        isFullWith("a");
        for (int i = 0; i < 4; i++)
            log.receives(patient(ofSeconds(30), enqueue("w" + i)).as("w" + i));
        log.receives(bound(3, BLOCK));
        log.repliesTo("w1").line(0).is("available");
        log.keepsWaiting("w2").status("q").shows("depth", 3);
        log.receives(bound(0, REJECT)).repliesTo("w3").line(0).is("available");
        log.status("q").shows("depth", 5).shows("blocked", 0);
    }

    @Test
    void the_status_says_since_when_the_first_has_been_waiting() {
        isFullWith("a");
        log.receives(patient(ofSeconds(30), enqueue("b")).as("b"));
        String since = log.now().toString();
        log.after(ofSeconds(3)).receives(patient(ofSeconds(30), enqueue("c")).as("c"));
        assertThat(Instant.parse(log.status("q").text("blocked_since"))).isEqualTo(Instant.parse(since));
        log.receives(cancel("a")).receives(cancel("b"));
        log.status("q").hides("blocked_since");
    }

    @Test
    void so_many_come_in_with_one_step_and_the_rest_with_ticks() {
        log.unaudited();
        isFullWith("a");
        for (int i = 0; i < 250; i++)
            log.receives(patient(ofSeconds(30), enqueue("w" + i)).as("w" + i));
        log.receives(bound(0, BLOCK));
        log.status("q").shows("depth", 101).shows("blocked", 150);
        log.receives(tick()).status("q").shows("depth", 201);
        log.receives(tick()).status("q").shows("depth", 251).shows("blocked", 0);
        log.repliesTo("w249").line(0).is("available");
    }

    @Test
    void a_client_that_is_withdrawn_leaves_nothing() {
        isFullWith("a");
        log.receives(
                patient(ofSeconds(30), enqueue("b")).as("b"),
                patient(ofSeconds(30), enqueue("c")).as("c"));
        log.receives(withdraw("b"));
        log.status("q").shows("blocked", 1);
        log.receives(cancel("a")).repliesTo("c").line(0).is("available");
        log.keepsWaiting("b");
        assertThat(log.knows("b")).isFalse();
    }

    @Test
    void a_client_that_is_withdrawn_lets_in_who_stood_behind() {
        isFullWith("a", "b", "c");
        log.receives(
                patientBatch("x", "y").as("batch"),
                patient(ofSeconds(30), enqueue("z")).as("z"));
        log.receives(cancel("a")).keepsWaiting("batch", "z");
        log.receives(withdraw("batch")).repliesTo("z").line(0).is("available");
    }

    @Test
    void who_waits_survives_a_restart() {
        isFullWith("a");
        log.receives(
                patient(ofSeconds(30), enqueue("b")).as("b"),
                patient(ofSeconds(30), enqueue("c")).as("c"));
        log.restarts();
        log.receives(cancel("a")).repliesTo("b").line(0).is("available");
        log.after(ofSeconds(31)).repliesTo("c").rejected(QUEUE_FULL);
    }

    @Test
    void the_id_is_looked_at_again() {
        isFullWith("a");
        log.receives(
                patient(ofSeconds(30), enqueue("b")).as("first"),
                patient(ofSeconds(30), enqueue("b")).as("second"));
        log.receives(cancel("a")).repliesTo("first").line(0).is("available");
        log.receives(fetch(), ack("b")).repliesTo("second").rejected(DUPLICATE);
    }

    @Test
    void who_stands_behind_one_that_leaves_comes_in() {
        isFullWith("a", "b");
        log.receives(
                patientBatch("x", "y").as("batch"),
                patient(ofSeconds(30), enqueue("z")).as("z"));
        log.receives(cancel("a")).keepsWaiting("batch", "z");
        log.receives(withdraw("batch"));
        log.repliesTo("z").line(0).is("available");
    }

    @Test
    void a_batch_that_can_never_fit_into_one_queue_hears_so_though_another_is_full() {
        log.receives(bound(1, REJECT), bound("r", new QueueConfig(1L, null, BLOCK, null)), enqueue("a"));
        log.receives(batch(enqueue("x"), enqueue("y").to("r"), enqueue("z").to("r")));
        log.rejects(BATCH_EXCEEDS_BOUND).with("queue", "r");
    }

    @Test
    void a_plain_record_waits_as_its_header_says() {
        isFullWith("a");
        log.receivesPlain(enqueue("b"), "30").emits("queue.overflow");
        log.status("q").shows("blocked", 1);
        log.receives(fetch(), ack("a"));
        log.status("q").shows("depth", 1).shows("blocked", 0);
        assertThat(log.knows("b")).isTrue();
    }

    @Test
    void the_rejection_of_a_plain_record_is_reported_to_each_client() {
        isFullWith("a");
        log.receivesPlain(enqueue("b"), "0");
        log.event("floodgate.record_rejected")
                .shows("offset", 2)
                .shows("op", "enqueue")
                .shows("code", "QUEUE_FULL");
        log.receivesPlain(enqueue("c"), "30");
        log.after(ofSeconds(31));
        log.event("floodgate.record_rejected")
                .shows("op", "enqueue-waiting")
                .shows("queue", "q")
                .shows("job_type", "test.job")
                .shows("job_id", Ids.id("c").toString())
                .shows("code", "QUEUE_FULL");
        assertThat(log.knows("c")).isFalse();
    }

    @Test
    void a_plain_record_whose_header_is_no_time_is_rejected() {
        log.receivesPlain(enqueue("a"), "soon");
        log.event("floodgate.record_rejected").shows("code", "invalid_payload");
        assertThat(log.knows("a")).isFalse();
    }

    @Test
    void the_answer_that_a_client_waits_for_is_not_reported_to_each_client() {
        isFullWith("a");
        log.receives(patient(ofSeconds(30), enqueue("b")).as("b"));
        log.after(ofSeconds(31)).repliesTo("b").rejected(QUEUE_FULL);
        assertThat(log.events().stream().map(event -> event.text("type"))).doesNotContain("floodgate.record_rejected");
    }

    @Test
    void the_id_of_a_job_that_does_not_wait_is_free_again_when_it_is_rejected() {
        Cluster cluster = new Cluster(2);
        String queue = cluster.queue(0, "q");
        String own = cluster.id(0, "own");
        String foreign = cluster.id(1, "foreign");
        cluster.receives(
                0,
                bound(queue, new QueueConfig(1L, null, BLOCK, null)),
                enqueue(own).to(queue));
        cluster.receives(1, enqueue(foreign).to(queue).as("first"));
        // Not DUPLICATE: there may be no room, and then there will be no such job.
        cluster.receives(1, enqueue(foreign).to(queue).as("twice")).delivers();
        cluster.log(1).repliesTo("first").rejected(QUEUE_FULL);
        cluster.log(0).repliesTo("twice").rejected(BACKEND_UNAVAILABLE);
        cluster.receives(0, cancel(own)).delivers();
        cluster.receives(1, enqueue(foreign).to(queue).as("again")).delivers();
        cluster.log(0).repliesTo("again").line(0).is("available");
        cluster.receives(1, enqueue(foreign).to(queue).as("thrice")).delivers();
        cluster.log(0).repliesTo("thrice").rejected(DUPLICATE);
    }
}
