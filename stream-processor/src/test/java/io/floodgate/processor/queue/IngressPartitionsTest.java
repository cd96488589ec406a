package io.floodgate.processor.queue;

import static io.floodgate.topics.command.ErrorCode.BACKEND_UNAVAILABLE;
import static java.time.Duration.ofDays;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.testing.Ask;
import io.floodgate.processor.testing.Commands;
import io.floodgate.processor.testing.PartitionTest;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Identity;
import io.floodgate.topics.command.Ingress;
import io.floodgate.topics.command.PartitionSettings;
import io.floodgate.topics.command.QueueCommand.EnqueueBatch;
import io.floodgate.topics.command.QueueCommand.Forward;
import io.floodgate.topics.command.QueueCommand.OpenIngress;
import io.floodgate.topics.command.QueueCommand.UseKey;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.command.ReplyTo;
import io.floodgate.topics.command.SignedRequest;
import io.floodgate.topics.queue.Access;
import io.floodgate.topics.queue.Deletion;
import io.floodgate.topics.queue.Overflow;
import io.floodgate.topics.queue.QueueConfig;
import io.floodgate.topics.queue.QueuePolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Records of a queue's own topic come in, each once and in order. */
class IngressPartitionsTest extends PartitionTest {
    private static final Ingress INGRESS = new Ingress("q", "topic-1", 0);

    private Ask forwarded(Commands.Job job, long offset) {
        return forwarded(INGRESS, job, offset, offset, false, null);
    }

    private Ask forwarded(
            Ingress ingress, Commands.Job job, long from, long offset, boolean begins, @Nullable Duration wait) {
        return ask(new Forward(ingress, from, offset, begins, written(), wait, job.json(), null));
    }

    private Instant written() {
        return log.now();
    }

    private void bounded(Overflow strategy, long jobs) {
        log.receives(bound("q", new QueueConfig(jobs, null, strategy, null)));
    }

    private void isIn(String... jobs) {
        for (String job : jobs) log.job(job).is("available");
    }

    @Test
    void comes_in_as_any_other_job() {
        log.receives(forwarded(enqueue("a"), 0)).emits("queue.created", "job.enqueued");
        log.replies();
        isIn("a");
    }

    @Test
    void comes_in_once_however_often_it_is_forwarded() {
        // given records that cannot be told by their ids
        log.receives(forwarded(enqueueWithoutId(), 0), forwarded(enqueueWithoutId(), 1));
        // when
        log.restarts();
        log.receives(forwarded(enqueueWithoutId(), 0), forwarded(enqueueWithoutId(), 1));
        // then
        log.replies();
        log.status("q").shows("depth", 2);
    }

    @Test
    void waits_for_the_one_before_it() {
        log.receives(forwarded(enqueue("a"), 0));
        log.receives(forwarded(enqueue("c"), 2)).rejects(BACKEND_UNAVAILABLE).with("offset", 2);
        assertThat(log.knows("c")).isFalse();
        // when
        log.receives(forwarded(enqueue("b"), 1), forwarded(enqueue("c"), 2));
        // then
        isIn("a", "b", "c");
    }

    @Test
    void may_stand_behind_what_is_no_record() {
        log.receives(forwarded(enqueue("a"), 0));
        log.receives(forwarded(INGRESS, enqueue("b"), 1, 5, false, null));
        isIn("a", "b");
        log.receives(forwarded(enqueue("c"), 6));
        isIn("c");
    }

    @Test
    void comes_in_after_records_that_are_gone_if_its_forwarder_begins_there() {
        log.receives(forwarded(enqueue("a"), 0));
        log.receives(forwarded(INGRESS, enqueue("b"), 900, 900, true, null));
        log.replies();
        isIn("b");
    }

    @Test
    void of_a_topic_made_again_begins_from_the_front() {
        log.receives(forwarded(enqueue("a"), 0), forwarded(enqueue("b"), 1));
        log.receives(forwarded(new Ingress("q", "topic-2", 0), enqueue("c"), 0, 0, true, null));
        isIn("a", "b", "c");
    }

    @Test
    void of_each_partition_has_an_order_of_its_own() {
        log.receives(forwarded(enqueue("a"), 0));
        log.receives(forwarded(new Ingress("q", "topic-1", 1), enqueue("b"), 0, 0, false, null));
        isIn("a", "b");
    }

    // ---- bounds

    @Test
    void stays_in_its_topic_while_a_queue_that_blocks_is_full() {
        bounded(Overflow.BLOCK, 1);
        log.receives(forwarded(enqueue("a"), 0));
        // when
        log.receives(forwarded(enqueue("b"), 1)).rejects(BACKEND_UNAVAILABLE).with("offset", 1);
        // then no job has been rejected
        log.emits();
        log.status("q").shows("rejected", 0).shows("blocked", 0);
        // and when there is room
        log.receives(fetch("q"), ack("a"));
        log.receives(forwarded(enqueue("b"), 1));
        isIn("b");
    }

    /** In the line its time would be up some day, and it would not be sent again. */
    @Test
    void stays_in_its_topic_while_others_wait_for_room_though_there_is_room_for_it() {
        bounded(Overflow.BLOCK, 2);
        log.receives(forwarded(enqueue("a"), 0));
        byte[][] two = {enqueue("x").json(), enqueue("y").json()};
        log.receives(ask(new EnqueueBatch(List.of(two), false, Duration.ofSeconds(30)))
                .as("batch"));
        log.receives(forwarded(enqueue("b"), 1)).rejects(BACKEND_UNAVAILABLE).with("offset", 1);
        log.status("q").shows("blocked", 1).shows("rejected", 0);
    }

    @Test
    void waits_in_line_if_its_producer_has_said_how_long() {
        bounded(Overflow.BLOCK, 1);
        log.receives(forwarded(enqueue("a"), 0));
        log.receives(forwarded(INGRESS, enqueue("b"), 1, 1, false, Duration.ofSeconds(5)));
        log.replies();
        log.status("q").shows("blocked", 1);
        // when
        log.after(Duration.ofSeconds(6));
        // then
        assertThat(log.knows("b")).isFalse();
        log.status("q").shows("blocked", 0).shows("rejected", 1);
    }

    @Test
    void is_announced_as_rejected_where_its_producer_has_put_it() {
        bounded(Overflow.REJECT, 1);
        log.receives(forwarded(enqueue("a"), 0));
        // when
        log.receives(forwarded(enqueue("b"), 1));
        // then
        log.replies();
        log.event("floodgate.record_rejected")
                .shows("log", "ojs.queue.q/0")
                .shows("offset", 1)
                .shows("op", "enqueue")
                .shows("code", "QUEUE_FULL")
                .shows("queue", "q");
        // and is not asked for again
        log.receives(forwarded(enqueue("c"), 2)).replies();
    }

    @Test
    void makes_room_for_itself_where_the_oldest_go() {
        bounded(Overflow.DROP_OLDEST, 1);
        log.receives(forwarded(enqueue("a"), 0), forwarded(enqueue("b"), 1));
        log.job("a").is("discarded");
        isIn("b");
    }

    @Test
    void that_can_never_fit_does_not_hold_up_those_behind_it() {
        log.receives(bound("q", new QueueConfig(null, 200L, Overflow.BLOCK, null)));
        log.receives(forwarded(enqueue("a").member("args", "[\"%s\"]".formatted("x".repeat(500))), 0));
        log.replies();
        log.event("floodgate.record_rejected").shows("code", "QUEUE_FULL");
        log.receives(forwarded(enqueue("b"), 1));
        isIn("b");
    }

    @Test
    void comes_in_where_only_named_producers_may_if_its_topic_is_among_them() {
        log.receives(bound("q", QueueConfig.of(QueuePolicy.NONE.with(new Access(null, List.of("ojs.queue.other"))))));
        log.receives(forwarded(enqueue("a"), 0));
        log.event("floodgate.record_rejected").shows("code", "PERMISSION_DENIED");
        log.receives(bound("q", QueueConfig.of(QueuePolicy.NONE.with(new Access(null, List.of("ojs.queue.q"))))));
        log.receives(forwarded(enqueue("b"), 1));
        isIn("b");
    }

    // ---- jobs that a gateway has written, and waits for

    private static final byte[] KEY = HexFormat.of().parseHex("0f".repeat(SignedRequest.KEY_BYTES));

    /** Who waits for what becomes of the record at this offset. */
    private static ReplyTo caller(long offset) {
        return new ReplyTo(3, "gateway", offset);
    }

    private void hasKey() {
        log.receives(ask(new UseKey("q", "0f".repeat(SignedRequest.KEY_BYTES))));
    }

    private Ask requested(Commands.Job job, long offset, Duration wait) {
        return requested(
                job, offset, wait, SignedRequest.sign(KEY, "q", caller(offset), null, false, wait, job.json()));
    }

    private Ask requested(Commands.Job job, long offset, @Nullable Duration wait, SignedRequest request) {
        return ask(new Forward(INGRESS, offset, offset, false, written(), wait, job.json(), null, request));
    }

    private Reply answer(long offset) {
        return Objects.requireNonNull(log.answers().get(caller(offset)));
    }

    private void isRejected(long offset, ErrorCode code) {
        assertThat(answer(offset))
                .isInstanceOfSatisfying(
                        Reply.Rejected.class,
                        rejected -> assertThat(rejected.rejection().code()).isEqualTo(code));
    }

    @Test
    void of_a_gateway_is_answered_as_if_it_had_come_the_other_way() {
        hasKey();
        bounded(Overflow.REJECT, 1);

        log.receives(requested(enqueue("a"), 0, Duration.ZERO)).replies();
        assertThat(answer(0)).isInstanceOf(Reply.Done.class);
        assertThat(answer(0).toString()).contains("\"state\":\"available\"").contains("\"load\":{\"queue\":\"q\"");

        log.receives(requested(enqueue("b"), 1, Duration.ZERO)).replies();
        isRejected(1, ErrorCode.QUEUE_FULL);
        assertThat(log.knows("b")).isFalse();
        assertThat(log.events().toString()).doesNotContain("record_rejected");

        log.receives(fetch("q"), ack("a"));
        log.receives(requested(enqueue("a"), 2, Duration.ZERO)).replies();
        isRejected(2, ErrorCode.DUPLICATE);
    }

    @Test
    void of_a_gateway_comes_in_once_however_often_it_is_forwarded() {
        hasKey();
        log.receives(requested(enqueueWithoutId(), 0, Duration.ZERO));
        log.restarts();
        log.receives(requested(enqueueWithoutId(), 0, Duration.ZERO));
        log.status("q").shows("depth", 1);
    }

    @Test
    void of_a_gateway_keeps_no_client_back_where_a_queue_that_blocks_is_full() {
        hasKey();
        bounded(Overflow.BLOCK, 1);
        log.receives(forwarded(enqueue("a"), 0));

        log.receives(requested(enqueue("b"), 1, Duration.ZERO)).replies();
        isRejected(1, ErrorCode.QUEUE_FULL);
        log.receives(requested(enqueue("c"), 2, Duration.ofSeconds(5))).replies();
        log.status("q").shows("blocked", 1);
        log.receives(forwarded(enqueue("d"), 3)).rejects(BACKEND_UNAVAILABLE);

        log.receives(fetch("q"), ack("a"));
        isIn("c");
    }

    @Test
    void of_a_gateway_has_waited_since_it_was_written() {
        hasKey();
        bounded(Overflow.BLOCK, 1);
        log.receives(forwarded(enqueue("a"), 0));
        Ask late = requested(enqueue("b"), 1, Duration.ofSeconds(5));
        log.after(Duration.ofSeconds(4)).receives(late);
        log.after(Duration.ofSeconds(2));
        isRejected(1, ErrorCode.QUEUE_FULL);
    }

    @Test
    void of_a_gateway_comes_in_under_the_name_of_its_sender() {
        hasKey();
        log.receives(bound("q", QueueConfig.of(QueuePolicy.NONE.with(new Access(null, List.of("billing"))))));
        Identity billing = new Identity("billing", null, null);
        byte[] job = enqueue("a").json();
        SignedRequest signed = SignedRequest.sign(KEY, "q", caller(0), billing, false, Duration.ZERO, job);

        log.receives(requested(enqueue("a"), 0, Duration.ZERO, signed));
        isIn("a");

        // the same for another job, another time, or another name, by a client that has read it
        log.receives(requested(enqueue("b"), 1, Duration.ZERO, signed));
        log.event("floodgate.record_rejected")
                .shows("code", "PERMISSION_DENIED")
                .shows("offset", 1);
        log.receives(requested(enqueue("a"), 2, Duration.ofSeconds(1), signed));
        log.event("floodgate.record_rejected").shows("code", "PERMISSION_DENIED");
        SignedRequest renamed =
                new SignedRequest(caller(3), new Identity("admin", null, null).write(), false, signed.signature());
        log.receives(requested(enqueue("a"), 3, Duration.ZERO, renamed));
        log.event("floodgate.record_rejected").shows("code", "PERMISSION_DENIED");
        assertThat(log.knows("b")).isFalse();
    }

    @Test
    void that_only_claims_to_be_of_a_gateway_answers_no_client() {
        log.receives(requested(enqueue("a"), 0, Duration.ZERO)).replies();
        log.event("floodgate.record_rejected").shows("log", "ojs.queue.q/0");
        assertThat(log.answers()).doesNotContainKey(caller(0));
        hasKey();
        byte[] other = HexFormat.of().parseHex("17".repeat(SignedRequest.KEY_BYTES));
        byte[] job = enqueue("a").json();
        log.receives(requested(
                enqueue("a"),
                1,
                Duration.ZERO,
                SignedRequest.sign(other, "q", caller(1), null, false, Duration.ZERO, job)));
        assertThat(log.answers()).doesNotContainKey(caller(1));
        assertThat(log.knows("a")).isFalse();
    }

    @Test
    void a_gateway_learns_whether_the_topic_is_read() {
        hasKey();
        log.replies().line(0).shows("read", false);
        log.receives(ask(new OpenIngress(INGRESS, 0)));
        log.restarts();
        hasKey();
        log.replies().line(0).shows("read", true);
        log.receives(ask(new UseKey("other", "0f".repeat(SignedRequest.KEY_BYTES))));
        log.replies().line(0).shows("read", false);
    }

    @Test
    void a_forwarder_that_begins_again_goes_on_where_another_one_has_been() {
        log.receives(forwarded(enqueue("a"), 0), forwarded(enqueue("b"), 1), ask(new OpenIngress(INGRESS, 0)));
        log.receives(forwarded(enqueue("c"), 1));
        assertThat(log.knows("c")).isFalse();
        log.receives(forwarded(enqueue("c"), 2));
        log.status("q").shows("depth", 3);
    }

    @Test
    void all_gateways_sign_with_the_key_of_the_first() {
        hasKey();
        log.restarts();
        log.receives(ask(new UseKey("q", "17".repeat(SignedRequest.KEY_BYTES))));
        log.replies().line(0).shows("key", "0f".repeat(SignedRequest.KEY_BYTES));
        log.receives(ask(new UseKey("q", "17"))).rejects(ErrorCode.INVALID_PAYLOAD);
    }

    // ---- what is wrong with it

    @Test
    void that_is_no_job_is_announced_and_passed_over() {
        log.receives(ask(new Forward(INGRESS, 0, 0, true, written(), null, null, INGRESS.reject("other"))));
        log.replies();
        log.event("floodgate.record_rejected").shows("log", "ojs.queue.q/0").shows("offset", 0);
        log.receives(forwarded(enqueue("a"), 1));
        isIn("a");
    }

    @Test
    void that_belongs_to_another_queue_is_not_taken() {
        log.receives(forwarded(enqueue("a").to("other"), 0));
        log.event("floodgate.record_rejected").shows("code", "invalid_request");
        assertThat(log.knows("a")).isFalse();
    }

    // ---- queues that come and go

    @Test
    void that_was_written_before_its_queue_was_deleted_is_not_taken() {
        log.receives(makeQueue("q", QueueConfig.NONE));
        Ask before = forwarded(enqueue("a"), 0);
        log.sleeps(Duration.ofSeconds(1));
        log.receives(delete("q", Deletion.DISCARD));
        log.sleeps(Duration.ofSeconds(1));
        // when
        log.receives(before);
        // then
        log.replies();
        log.event("floodgate.record_rejected").shows("code", "QUEUE_NOT_FOUND");
        assertThat(log.knows("a")).isFalse();
        // and what is written afterwards is another queue's
        log.receives(makeQueue("q", QueueConfig.NONE), forwarded(enqueue("b"), 1));
        isIn("b");
    }

    @Test
    void that_was_written_before_its_queue_was_deleted_is_not_taken_whichever_partitions_had_records() {
        // given a queue that no operator has made, whose topic has had records in one partition, and not the first
        Ingress third = new Ingress("q", "topic-1", 3);
        log.receives(forwarded(third, enqueue("a"), 0, 0, true, null));
        Ask before = forwarded(third, enqueue("b"), 1, 1, false, null);
        log.sleeps(Duration.ofSeconds(1)).receives(delete("q", Deletion.DISCARD));
        log.after(Duration.ofSeconds(1));
        // when
        log.receives(before);
        // then
        log.event("floodgate.record_rejected").shows("code", "QUEUE_NOT_FOUND");
        assertThat(log.knows("b")).isFalse();
    }

    @Test
    void of_a_queue_with_a_similar_name_say_nothing_of_this_one() {
        log.receives(forwarded(new Ingress("q2", "topic-2", 0), enqueue("a").to("q2"), 0, 0, true, null));
        Ask before = forwarded(enqueue("c"), 0);
        log.sleeps(Duration.ofSeconds(1)).receives(enqueue("b"), delete("q", Deletion.DISCARD));
        log.after(Duration.ofSeconds(1)).receives(before);
        isIn("c");
    }

    @Test
    void makes_a_queue_unless_only_operators_do() {
        log.receives(configure(new PartitionSettings(ofDays(1), ofDays(1), ofDays(1), Duration.ZERO, 0, true)));
        log.receives(forwarded(enqueue("a"), 0));
        log.event("floodgate.record_rejected").shows("code", "QUEUE_NOT_FOUND");
        log.receives(makeQueue("q", QueueConfig.NONE), pause("q"), forwarded(enqueue("b"), 1));
        isIn("b");
    }
}
