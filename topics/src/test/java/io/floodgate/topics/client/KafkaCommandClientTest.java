package io.floodgate.topics.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.floodgate.topics.Headers;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.Routing;
import io.floodgate.topics.command.Command;
import io.floodgate.topics.command.QueueCommand.GetQueue;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.command.ReplyTo;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class KafkaCommandClientTest {
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final PartitionId LOG = new PartitionId(3);
    private static final Command COMMAND = new GetQueue("email");

    private final FakeReplyTopic topic = new FakeReplyTopic();
    private final MockProducer<String, byte[]> producer = producer();
    private final MockProducer<String, byte[]> completions = producer();
    private final KafkaCommandClient client = client(ClientLimits.DEFAULT.withInFlight(4));

    private static MockProducer<String, byte[]> producer() {
        return new MockProducer<>(false, null, new StringSerializer(), new ByteArraySerializer());
    }

    private KafkaCommandClient client(ClientLimits limits) {
        return new KafkaCommandClient(
                new Routing(64),
                new Traffic(limits, PartitionCircuits.neverOpen()),
                producer,
                completions,
                LocalPartitions.NONE,
                topic.listener);
    }

    @AfterEach
    void close() {
        if (!producer.closed()) client.close();
    }

    private CompletableFuture<Reply> send(Command command) {
        return client.send(LOG, "email", command, PATIENCE);
    }

    private ProducerRecord<String, byte[]> appended(int number) {
        return producer.history().get(number);
    }

    private static String header(ProducerRecord<String, byte[]> record, String name) {
        return new String(record.headers().lastHeader(name).value(), UTF_8);
    }

    private ReplyTo replyTo(int number) {
        return ReplyTo.parse(header(appended(number), Headers.REPLY_TO));
    }

    /** As the producer's own thread would. */
    private void laterFails(RuntimeException failure) throws Exception {
        Thread thread = Thread.ofVirtual().start(() -> producer.errorNext(failure));
        thread.join();
    }

    @Test
    void a_command_is_appended_to_the_log_it_is_for() {
        var unused = send(COMMAND);
        ProducerRecord<String, byte[]> record = appended(0);
        assertThat(record.topic()).isEqualTo("ojs.commands");
        assertThat(record.partition()).isEqualTo(3);
        assertThat(record.key()).isEqualTo("email");
        assertThat(new String(record.value(), UTF_8)).isEqualTo("{\"queue\":\"email\"}");
        assertThat(header(record, Headers.OP)).isEqualTo("get-queue");
        assertThat(replyTo(0).requester()).isEqualTo(FakeReplyTopic.REQUESTER);
        assertThat(Long.parseLong(header(record, Headers.SENT)))
                .isBetween(System.currentTimeMillis() - 30_000, System.currentTimeMillis());
    }

    @Test
    void its_reply_is_handed_over() throws Exception {
        CompletableFuture<Reply> reply = send(COMMAND);
        topic.receives(replyTo(0), "{\"depth\":0}");
        assertThat(reply.get(20, SECONDS)).hasToString("{\"depth\":0}");
        producer.completeNext();
        Thread.ofVirtual().start(() -> {
            while (producer.history().size() < 2) Thread.onSpinWait();
            topic.receives(replyTo(1), "{}");
        });
        assertThat(client.call(LOG, "email", COMMAND, PATIENCE)).hasToString("{}");
    }

    @Test
    void without_a_reply_in_time_no_client_knows() {
        CompletableFuture<Reply> reply = client.send(LOG, "email", COMMAND, Duration.ofMillis(1));
        assertThatThrownBy(() -> Replies.await(reply))
                .isInstanceOf(NoReply.class)
                .hasMessageContaining("1 ms");
    }

    @Test
    void a_delivery_that_failed_leaves_it_open_whether_the_command_arrived() throws Exception {
        CompletableFuture<Reply> reply = send(COMMAND);
        laterFails(new TimeoutException("delivery"));
        assertThatThrownBy(() -> Replies.await(reply)).isInstanceOf(NoReply.class);
    }

    @Test
    void a_command_that_is_too_large_was_not_sent() throws Exception {
        CompletableFuture<Reply> reply = send(COMMAND);
        laterFails(new RecordTooLargeException());
        assertThatThrownBy(() -> Replies.await(reply)).isInstanceOf(CommandNotSent.class);
    }

    @Test
    void nor_was_one_that_the_producer_rejected_at_once() {
        producer.sendException = new TimeoutException("no metadata");
        assertThatThrownBy(() -> Replies.await(send(COMMAND))).isInstanceOf(CommandNotSent.class);
        producer.sendException = new IllegalStateException("closed");
        assertThatThrownBy(() -> Replies.await(send(COMMAND))).isInstanceOf(CommandNotSent.class);
        producer.sendException = null;
        assertThatThrownBy(() -> Replies.await(client.send(new PartitionId(-1), "k", COMMAND, PATIENCE)))
                .isInstanceOf(CommandNotSent.class);
    }

    @Test
    void nor_was_one_whose_failure_was_reported_before_the_producer_took_it() {
        var rejecting =
                new MockProducer<String, byte[]>(false, null, new StringSerializer(), new ByteArraySerializer()) {
                    @Override
                    public synchronized java.util.concurrent.Future<org.apache.kafka.clients.producer.RecordMetadata>
                            send(
                                    ProducerRecord<String, byte[]> record,
                                    org.apache.kafka.clients.producer.Callback callback) {
                        callback.onCompletion(null, new TimeoutException("no metadata"));
                        return CompletableFuture.failedFuture(new TimeoutException("no metadata"));
                    }
                };
        KafkaCommandClient other = new KafkaCommandClient(
                new Routing(64),
                new Traffic(ClientLimits.DEFAULT, PartitionCircuits.neverOpen()),
                rejecting,
                completions,
                LocalPartitions.NONE,
                topic.listener);
        assertThatThrownBy(() -> Replies.await(other.send(LOG, "email", COMMAND, PATIENCE)))
                .isInstanceOf(CommandNotSent.class);
    }

    @Test
    void without_a_reply_in_time_a_log_counts_as_silent_until_it_answers() throws Exception {
        assertThatThrownBy(() -> client.call(LOG, "email", COMMAND, Duration.ofMillis(1)))
                .isInstanceOf(NoReply.class);
        // Who waits for less than a partition needs learns nothing about it.
        assertThat(client.isSilent(LOG)).isFalse();
        client.traffic().unanswered(LOG, 0, NoReply.within(Duration.ofSeconds(2)));
        assertThat(client.isSilent(LOG)).isTrue();
        assertThat(client.traffic().circuits().silentLogs()).containsExactly(LOG);
        producer.completeNext();
        CompletableFuture<Reply> reply = send(COMMAND);
        topic.receives(replyTo(1), "{}");
        reply.get(20, SECONDS);
        assertThat(client.isSilent(LOG)).isFalse();
    }

    @Test
    void closing_leaves_no_client_waiting_and_sends_nothing_any_more() {
        CompletableFuture<Reply> reply = send(COMMAND);
        client.close();
        assertThat(reply).isCompletedExceptionally();
        assertThatThrownBy(() -> Replies.await(send(COMMAND))).isInstanceOf(CommandNotSent.class);
    }

    @Test
    void nothing_is_appended_twice_or_unacknowledged() {
        assertThat(KafkaCommandClient.producerConfig(
                        Map.of(ProducerConfig.ACKS_CONFIG, "0", "security.protocol", "SSL")))
                .containsEntry(ProducerConfig.ACKS_CONFIG, "all")
                .containsEntry(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true)
                .containsEntry("security.protocol", "SSL")
                .doesNotContainKey(ProducerConfig.TRANSACTIONAL_ID_CONFIG);
    }

    @Test
    void how_many_requests_are_under_way_is_the_operators_choice() {
        String name = ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION;
        assertThat(KafkaCommandClient.producerConfig(Map.of())).containsEntry(name, 1);
        assertThat(KafkaCommandClient.producerConfig(Map.of(name, "5"))).containsEntry(name, "5");
    }
}
