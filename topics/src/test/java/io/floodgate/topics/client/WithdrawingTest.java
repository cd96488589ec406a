package io.floodgate.topics.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.floodgate.topics.Headers;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.Routing;
import io.floodgate.topics.command.Command;
import io.floodgate.topics.command.CommandCodec;
import io.floodgate.topics.command.PartitionCommand.Withdraw;
import io.floodgate.topics.command.QueueCommand.Decline;
import io.floodgate.topics.command.QueueCommand.EndHold;
import io.floodgate.topics.command.QueueCommand.Fetch;
import io.floodgate.topics.command.QueueCommand.GetQueue;
import io.floodgate.topics.command.QueueCommand.HoldBatch;
import io.floodgate.topics.command.QueueCommand.Watch;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.command.ReplyTo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class WithdrawingTest {
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final PartitionId LOG = new PartitionId(3);
    private static final Fetch FETCH = new Fetch(List.of("email"), 1, null, null, Duration.ofSeconds(1));
    private static final Watch WATCH = new Watch(List.of("email"), Duration.ofSeconds(1));

    private final FakeReplyTopic topic = new FakeReplyTopic();
    private final MockProducer<String, byte[]> work = producer(false);
    private final MockProducer<String, byte[]> completions = producer(true);
    private final KafkaCommandClient client = new KafkaCommandClient(
            new Routing(64),
            new Traffic(ClientLimits.DEFAULT, PartitionCircuits.neverOpen()),
            work,
            completions,
            LocalPartitions.NONE,
            topic.listener);

    private static MockProducer<String, byte[]> producer(boolean acknowledges) {
        return new MockProducer<>(acknowledges, null, new StringSerializer(), new ByteArraySerializer());
    }

    @AfterEach
    void close() {
        if (!work.closed()) client.close();
    }

    private CompletableFuture<Reply> send(Command command) {
        return client.send(LOG, "email", command, LONG);
    }

    private ReplyTo replyTo(int number) {
        return Objects.requireNonNull(SentCommands.of(work).get(number).replyTo());
    }

    private List<Withdraw> withdrawals() throws Exception {
        List<Withdraw> found = new ArrayList<>();
        for (ProducerRecord<String, byte[]> record : completions.history()) {
            assertThat(record.partition()).isEqualTo(LOG.partition());
            assertThat(record.headers().lastHeader(Headers.REPLY_TO)).isNull();
            String op = new String(record.headers().lastHeader(Headers.OP).value(), UTF_8);
            found.add((Withdraw) CommandCodec.decode(op, record.value()));
        }
        return found;
    }

    private void hasWithdrawn(Integer... numbers) throws Exception {
        while (completions.history().size() < numbers.length) Thread.onSpinWait();
        List<Withdraw> expected = new ArrayList<>();
        for (int number : numbers)
            expected.add(new Withdraw("me", List.of(replyTo(number).correlation())));
        assertThat(withdrawals()).isEqualTo(expected);
    }

    @Test
    void a_fetch_that_no_client_waits_for_any_more_is_withdrawn() throws Exception {
        CompletableFuture<Reply> reply = send(FETCH);
        work.completeNext();
        reply.cancel(false);
        hasWithdrawn(0);
    }

    @Test
    void so_is_one_whose_time_is_up_and_one_whose_caller_is_interrupted() throws Exception {
        var unused = client.send(LOG, "email", FETCH, Duration.ofMillis(1));
        work.completeNext();
        hasWithdrawn(0);
        CompletableFuture<Reply> reply = send(FETCH);
        work.completeNext();
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> Replies.await(reply)).isInstanceOf(NoReply.class);
        assertThat(Thread.interrupted()).isTrue();
        hasWithdrawn(0, 1);
    }

    @Test
    void so_is_a_watch_that_waits_and_nothing_else() throws Exception {
        CompletableFuture<Reply> watch = send(WATCH);
        CompletableFuture<Reply> other = send(new GetQueue("email"));
        CompletableFuture<Reply> look = send(new Watch(List.of("email"), Duration.ZERO));
        work.flush();
        other.cancel(false);
        look.cancel(false);
        watch.cancel(false);
        hasWithdrawn(0);
    }

    @Test
    void the_withdrawal_stands_behind_what_it_withdraws() throws Exception {
        CompletableFuture<Reply> reply = send(FETCH);
        reply.cancel(false);
        assertThat(completions.history()).isEmpty();
        work.completeNext();
        hasWithdrawn(0);
    }

    @Test
    void a_fetch_of_which_no_client_knows_whether_it_was_appended_is_withdrawn() throws Exception {
        var unused = send(FETCH);
        Thread.ofVirtual()
                .start(() -> work.errorNext(new TimeoutException("delivery")))
                .join();
        hasWithdrawn(0);
    }

    @Test
    void one_that_was_not_sent_or_that_was_answered_is_not_withdrawn() throws Exception {
        work.sendException = new TimeoutException("no metadata");
        assertThat(send(FETCH)).isCompletedExceptionally();
        work.sendException = null;
        CompletableFuture<Reply> reply = send(FETCH);
        topic.receives(replyTo(0), "{\"id\":1}");
        reply.join();
        work.completeNext();
        // when
        CompletableFuture<Reply> other = send(FETCH);
        work.completeNext();
        other.cancel(false);
        // then
        hasWithdrawn(1);
    }

    @Test
    void jobs_that_come_all_the_same_are_withdrawn_once_more() throws Exception {
        CompletableFuture<Reply> reply = send(FETCH);
        work.completeNext();
        reply.cancel(false);
        hasWithdrawn(0);
        topic.receives(replyTo(0), "{\"id\":1}");
        hasWithdrawn(0, 0);
    }

    @Test
    void what_a_watch_is_informed_of_that_no_client_waits_for_any_more_is_declined() throws Exception {
        CompletableFuture<Reply> reply = send(WATCH);
        work.completeNext();
        reply.cancel(false);
        hasWithdrawn(0);

        topic.receives(replyTo(0), "{\"ready\":true,\"queue\":\"email\"}");

        assertThat(work.history()).hasSize(2);
        ProducerRecord<String, byte[]> record = work.history().getLast();
        assertThat(CommandCodec.decode(
                        new String(record.headers().lastHeader(Headers.OP).value(), UTF_8), record.value()))
                .isEqualTo(new Decline(List.of("email")));
    }

    @Test
    void what_is_held_for_a_batch_that_is_given_up_is_released_when_its_answer_comes() throws Exception {
        var part =
                client.send(LOG, "email", new HoldBatch(0, List.of(new byte[] {'{', '}'}), true), Duration.ofMillis(1));
        work.completeNext();
        assertThatThrownBy(() -> Replies.await(part)).isInstanceOf(NoReply.class);

        topic.receives(replyTo(0), "{\"part\":17}\n{}");

        assertThat(work.history()).hasSize(2);
        ProducerRecord<String, byte[]> record = work.history().getLast();
        assertThat(CommandCodec.decode(
                        new String(record.headers().lastHeader(Headers.OP).value(), UTF_8), record.value()))
                .isEqualTo(new EndHold(List.of(17L), false));
    }

    @Test
    void closing_withdraws_whatever_waits_in_as_few_records_as_will_do() throws Exception {
        var unused = List.of(send(FETCH), send(FETCH), send(FETCH));
        work.flush();
        client.close();
        assertThat(withdrawals())
                .containsExactly(new Withdraw(
                        "me",
                        List.of(
                                replyTo(0).correlation(),
                                replyTo(1).correlation(),
                                replyTo(2).correlation())));
    }
}
