package io.floodgate.topics.client;

import static io.floodgate.topics.client.FakeReplyTopic.bytes;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.floodgate.topics.Topics;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.command.ReplyTo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class ReplyListenerTest {
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final Duration SHORT = Duration.ofMillis(5);

    private final FakeReplyTopic topic = new FakeReplyTopic();
    private final ReplyListener listener = topic.listener;
    private final CompletableFuture<Reply> late = new CompletableFuture<>();

    @AfterEach
    void close() {
        listener.close();
    }

    private ReplyTo expect(CompletableFuture<Reply> reply) {
        return listener.expect(reply, LONG, late::complete);
    }

    /** Whatever was received before has been handled once this one is through. */
    private void isStillListening() throws Exception {
        CompletableFuture<Reply> reply = new CompletableFuture<>();
        topic.receives(expect(reply), "{}");
        assertThat(reply.get(20, SECONDS)).hasToString("{}");
    }

    @Test
    void each_reply_goes_to_a_client_that_asked() throws Exception {
        CompletableFuture<Reply> one = new CompletableFuture<>();
        CompletableFuture<Reply> other = new CompletableFuture<>();
        ReplyTo toOne = expect(one);
        ReplyTo toOther = expect(other);
        assertThat(FakeReplyTopic.partition()).containsExactly(toOne.partition());
        topic.receives(toOther, "{\"other\":1}");
        topic.receives(toOne, "{\"one\":1}");
        assertThat(one.get(20, SECONDS)).hasToString("{\"one\":1}");
        assertThat(other.get(20, SECONDS)).hasToString("{\"other\":1}");
    }

    @Test
    void replies_come_in_the_partition_of_another_broker_when_none_comes_in_this_one() throws Exception {
        CompletableFuture<Reply> reply = new CompletableFuture<>();
        ReplyTo earlier = expect(reply);
        CompletableFuture<Reply> unanswered = new CompletableFuture<>();
        ReplyTo silent = listener.expect(unanswered, SHORT, null);
        assertThatThrownBy(() -> unanswered.get(20, SECONDS)).hasCauseInstanceOf(NoReply.class);
        isStillListening();
        assertThat(expect(new CompletableFuture<>()).partition()).isEqualTo(silent.partition() + 1);
        isStillListening();
        // The former one is read on.
        topic.receives(earlier, "{}");
        assertThat(reply.get(20, SECONDS)).hasToString("{}");
    }

    @Test
    void a_reply_in_this_process_is_handed_over() throws Exception {
        CompletableFuture<Reply> one = new CompletableFuture<>();
        CompletableFuture<Reply> other = new CompletableFuture<>();
        ReplyTo toOne = expect(one);
        ReplyTo toOther = expect(other);
        Reply rejected = new Reply.Rejected(Rejection.notFound("job", "x"));
        assertThat(topic.direct.handOver(toOther, rejected)).isTrue();
        assertThat(topic.direct.handOver(toOne, new Reply.Done(bytes("{}")))).isTrue();
        assertThat(one.get(20, SECONDS)).hasToString("{}");
        assertThat(other.get(20, SECONDS)).isEqualTo(rejected);
        // No caller waits for a second answer, as after a crash.
        assertThat(topic.direct.handOver(toOne, rejected)).isTrue();
        isStillListening();
    }

    @Test
    void a_reply_that_comes_late_is_dealt_with_wherever_it_comes_from() throws Exception {
        CompletableFuture<Reply> reply = new CompletableFuture<>();
        ReplyTo to = expect(reply);
        reply.cancel(false);
        topic.direct.handOver(to, new Reply.Done(bytes("{\"late\":1}")));
        assertThat(late.get(20, SECONDS)).hasToString("{\"late\":1}");
    }

    @Test
    void nothing_is_handed_over_to_a_client_elsewhere_or_gone() {
        ReplyTo to = expect(new CompletableFuture<>());
        assertThat(topic.direct.handOver(new ReplyTo(0, "elsewhere", 1), new Reply.Done(bytes("{}"))))
                .isFalse();
        listener.close();
        assertThat(topic.direct.handOver(to, new Reply.Done(bytes("{}")))).isFalse();
    }

    @Test
    void a_rejection_is_a_reply_too() throws Exception {
        CompletableFuture<Reply> reply = new CompletableFuture<>();
        Rejection rejection = Rejection.notFound("job", "x");
        topic.receives(
                "me", Long.toString(expect(reply).correlation()), "NOT_FOUND", new Reply.Rejected(rejection).toBytes());
        assertThat(reply.get(20, SECONDS)).isEqualTo(new Reply.Rejected(rejection));
    }

    @Test
    void the_replies_of_others_and_what_no_client_asked_for_are_passed_over() throws Exception {
        CompletableFuture<Reply> reply = new CompletableFuture<>();
        ReplyTo to = expect(reply);
        topic.receives("another client", Long.toString(to.correlation()), null, bytes("{}"));
        topic.receives(null, Long.toString(to.correlation()), null, bytes("{}"));
        topic.receives("me", "999999", null, bytes("{}"));
        isStillListening();
        assertThat(reply).isNotDone();
    }

    @Test
    void a_reply_that_comes_twice_counts_once() throws Exception {
        CompletableFuture<Reply> reply = new CompletableFuture<>();
        ReplyTo to = expect(reply);
        topic.receives(to, "{\"n\":1}");
        topic.receives(to, "{\"n\":2}");
        isStillListening();
        assertThat(reply.get(20, SECONDS)).hasToString("{\"n\":1}");
        assertThat(late).isNotDone();
    }

    @Test
    void what_cannot_be_read_stops_no_client() throws Exception {
        CompletableFuture<Reply> empty = new CompletableFuture<>();
        CompletableFuture<Reply> garbled = new CompletableFuture<>();
        topic.receives("me", null, null, bytes("{}"));
        topic.receives("me", "one", null, bytes("{}"));
        topic.receives("me", "", null, null);
        topic.receives("me", Long.toString(expect(empty).correlation()), null, null);
        topic.receives("me", Long.toString(expect(garbled).correlation()), "NOT_FOUND", bytes("{\"xx"));
        isStillListening();
        assertThatThrownBy(() -> Replies.await(empty)).isInstanceOf(NoReply.class);
        assertThatThrownBy(() -> Replies.await(garbled)).isInstanceOf(NoReply.class);
    }

    @Test
    void a_cluster_that_cannot_be_read_from_is_tried_again() throws Exception {
        synchronized (topic.consumer) {
            topic.consumer.schedulePollTask(() -> topic.consumer.setPollException(new KafkaException("on purpose")));
        }
        isStillListening();
    }

    @Test
    void who_timed_out_is_informed_and_what_comes_late_goes_to_the_late() throws Exception {
        CompletableFuture<Reply> reply = new CompletableFuture<>();
        ReplyTo to = listener.expect(reply, SHORT, late::complete);
        assertThatThrownBy(() -> Replies.await(reply)).hasMessage("no reply within 5 ms");
        topic.receives(to, "{\"n\":1}");
        assertThat(late.get(20, SECONDS)).hasToString("{\"n\":1}");
    }

    @Test
    void patience_ends_in_its_own_order() {
        CompletableFuture<Reply> patient = new CompletableFuture<>();
        expect(patient);
        CompletableFuture<Reply> first = new CompletableFuture<>();
        listener.expect(first, SHORT, null);
        assertThatThrownBy(() -> Replies.await(first)).isInstanceOf(NoReply.class);
        CompletableFuture<Reply> second = new CompletableFuture<>();
        listener.expect(second, SHORT, null);
        assertThatThrownBy(() -> Replies.await(second)).isInstanceOf(NoReply.class);
        assertThat(patient).isNotDone();
    }

    @Test
    void what_comes_after_its_caller_gave_up_goes_to_the_late_too() throws Exception {
        CompletableFuture<Reply> reply = new CompletableFuture<>();
        ReplyTo to = expect(reply);
        reply.cancel(false);
        topic.receives(to, "{\"n\":1}");
        assertThat(late.get(20, SECONDS)).hasToString("{\"n\":1}");
    }

    @Test
    void a_late_reply_is_dealt_with_once_and_is_no_worse_for_being_garbled() throws Exception {
        CompletableFuture<Reply> reply = new CompletableFuture<>();
        AtomicInteger times = new AtomicInteger();
        ReplyTo to = listener.expect(reply, LONG, r -> times.incrementAndGet());
        CompletableFuture<Reply> other = new CompletableFuture<>();
        ReplyTo toOther = listener.expect(other, LONG, r -> times.incrementAndGet());
        reply.cancel(false);
        other.cancel(false);
        topic.receives(to, "{}");
        topic.receives(to, "{}");
        topic.receives(toOther.requester(), Long.toString(toOther.correlation()), null, null);
        isStillListening();
        assertThat(times).hasValue(1);
        assertThat(listener.size()).isZero();
    }

    @Test
    void nothing_is_kept_of_those_who_wait_no_longer_but_the_latest_late_ones() {
        // given
        List<CompletableFuture<Reply>> fetches = new ArrayList<>();
        for (int i = 0; i < 3 * LateReplies.MOST; i++) {
            CompletableFuture<Reply> fetch = new CompletableFuture<>();
            fetches.add(fetch);
            listener.expect(fetch, LONG, late::complete);
            CompletableFuture<Reply> other = new CompletableFuture<>();
            listener.expect(other, LONG, null);
            other.cancel(false);
        }
        assertThat(listener.size()).isEqualTo(3 * LateReplies.MOST);
        // when
        fetches.forEach(fetch -> fetch.cancel(false));
        // then
        assertThat(listener.size()).isEqualTo(LateReplies.MOST);
    }

    @Test
    void a_reply_worth_nothing_to_the_late_is_forgotten() throws Exception {
        CompletableFuture<Reply> reply = new CompletableFuture<>();
        ReplyTo to = listener.expect(reply, SHORT, null);
        assertThatThrownBy(() -> Replies.await(reply)).isInstanceOf(NoReply.class);
        topic.receives(to, "{}");
        isStillListening();
        assertThat(late).isNotDone();
        assertThat(listener.size()).isZero();
    }

    /** A right that is missing fails each poll at once: the partition must not fill the disk. */
    @Test
    void what_cannot_be_read_is_tried_again_after_a_pause() throws Exception {
        AtomicInteger polls = new AtomicInteger();
        for (int i = 0; i < 2; i++)
            topic.consumer.schedulePollTask(() -> {
                polls.incrementAndGet();
                topic.consumer.setPollException(new TopicAuthorizationException(Set.of(Topics.REPLIES)));
            });
        long begun = System.nanoTime();
        isStillListening();
        assertThat(polls).hasValue(2);
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThan(Duration.ofSeconds(1));
    }

    @Test
    void a_failure_is_reported_once() {
        CompletableFuture<Reply> reply = new CompletableFuture<>();
        ReplyTo to = expect(reply);
        listener.fail(to, new CommandNotSent("full"));
        listener.fail(to, new NoReply("again"));
        assertThatThrownBy(() -> Replies.await(reply)).isInstanceOf(CommandNotSent.class);
    }

    @Test
    void when_closed_no_client_is_left_waiting() {
        CompletableFuture<Reply> reply = new CompletableFuture<>();
        expect(reply);
        listener.close();
        assertThatThrownBy(() -> Replies.await(reply)).isInstanceOf(NoReply.class);
        assertThat(topic.consumer.closed()).isTrue();
    }
}
