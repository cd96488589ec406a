package io.floodgate.topics.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.floodgate.topics.Headers;
import io.floodgate.topics.JobId;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.Routing;
import io.floodgate.topics.Slot;
import io.floodgate.topics.circuit.BreakerState;
import io.floodgate.topics.circuit.Circuit;
import io.floodgate.topics.command.Command;
import io.floodgate.topics.command.JobCommand.Ack;
import io.floodgate.topics.command.JobCommand.Claimant;
import io.floodgate.topics.command.JobCommand.GetJob;
import io.floodgate.topics.command.PartitionCommand.Tick;
import io.floodgate.topics.command.QueueCommand.Fetch;
import io.floodgate.topics.command.QueueCommand.GetQueue;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.command.ReplyTo;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client whose circuits open. */
@Timeout(120)
class PartitionCircuitsTest {
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final Duration STALL = Duration.ofSeconds(2);
    private static final PartitionId SILENT = new PartitionId(3);
    private static final PartitionId WELL = new PartitionId(4);
    private static final JobId JOB = JobId.make(Slot.of("email"), 1, 1);
    private static final Command WORK = new GetQueue("email");
    private static final Command ACK = new Ack(JOB, Claimant.UNNAMED, null);

    private final AtomicLong time = new AtomicLong();
    private final PartitionCircuits circuits = new PartitionCircuits(Circuit.Settings.DEFAULT, time::get);
    private final FakeReplyTopic topic = new FakeReplyTopic();
    private final MockProducer<String, byte[]> work = producer(true);
    private final MockProducer<String, byte[]> completions = producer(true);
    private final Traffic traffic = new Traffic(ClientLimits.DEFAULT, circuits);
    private final KafkaCommandClient client =
            new KafkaCommandClient(new Routing(64), traffic, work, completions, LocalPartitions.NONE, topic.listener);

    private static MockProducer<String, byte[]> producer(boolean acknowledges) {
        return new MockProducer<>(acknowledges, null, new StringSerializer(), new ByteArraySerializer());
    }

    @AfterEach
    void close() {
        client.close();
    }

    @Test
    void a_log_that_answers_nothing_for_two_seconds_is_asked_no_more_and_others_are() {
        loseTheLog();

        assertThatThrownBy(() -> Replies.await(send(SILENT, WORK)))
                .isInstanceOfSatisfying(
                        CommandCircuitOpen.class,
                        open -> assertThat(open.rest()).isEqualTo(Duration.ofSeconds(30)))
                .hasMessage("ojs.commands/3 does not answer, and is not asked for another 30 s");
        assertThat(send(WELL, WORK)).isNotDone();
        assertThat(client.isSilent(SILENT)).isTrue();
        assertThat(circuits.notClosed()).containsOnlyKeys("ojs.commands/3");
        assertThat(traffic.rejected(SILENT)).isZero();
    }

    @Test
    void reads_and_those_who_wait_are_rejected_too() {
        loseTheLog();

        assertThat(send(SILENT, new GetJob(JOB))).isCompletedExceptionally();
        assertThat(send(SILENT, new Fetch(List.of("email"), 1, null, null, Duration.ofSeconds(1))))
                .isCompletedExceptionally();
    }

    @Test
    void completions_and_probes_are_sent_all_the_same_and_their_answers_close_it() {
        loseTheLog();

        CompletableFuture<Reply> ack = send(SILENT, ACK);
        CompletableFuture<Reply> probe = send(SILENT, new Tick());
        assertThat(completions.history()).hasSize(2);
        answer(completions, 0, ack);
        assertThat(circuits.of(SILENT).state()).isEqualTo(BreakerState.HALF_OPEN);
        answer(completions, 1, probe);

        assertThat(circuits.of(SILENT).state()).isEqualTo(BreakerState.CLOSED);
        assertThat(send(SILENT, WORK)).isNotDone();
    }

    @Test
    void a_partition_that_takes_nothing_is_not_taken_for_a_kafka_that_does() {
        MockProducer<String, byte[]> slow = producer(false);
        try (KafkaCommandClient busy = new KafkaCommandClient(
                new Routing(64), traffic, slow, completions, LocalPartitions.NONE, new FakeReplyTopic().listener)) {
            List<CompletableFuture<Reply>> lost = new ArrayList<>();
            var unused = busy.send(WELL, "email", WORK, PATIENCE);
            for (int i = 0; i < 7; i++) lost.add(busy.send(SILENT, "email", WORK, PATIENCE));
            slow.completeNext();
            while (!lost.stream().allMatch(CompletableFuture::isDone)) slow.errorNext(new TimeoutException("delivery"));
        }
        assertThat(circuits.kafka().state()).isEqualTo(BreakerState.CLOSED);
    }

    @Test
    void after_its_rest_one_command_finds_out() {
        loseTheLog();
        int before = work.history().size();
        pass(Duration.ofSeconds(30));

        CompletableFuture<Reply> one = send(SILENT, WORK);
        assertThat(send(SILENT, WORK)).isCompletedExceptionally();
        answer(work, before, one);

        assertThat(send(SILENT, WORK)).isNotDone();
    }

    @Test
    void callers_who_wait_for_less_than_a_log_needs_say_nothing_about_it() {
        for (int i = 0; i < 20; i++) {
            var hasty = client.send(SILENT, "email", WORK, Duration.ofMillis(1));
            assertThatThrownBy(() -> Replies.await(hasty)).isInstanceOf(NoReply.class);
        }

        assertThat(circuits.of(SILENT).state()).isEqualTo(BreakerState.CLOSED);
    }

    @Test
    void parked_fetches_are_not_taken_for_silence() {
        for (int i = 0; i < 10; i++)
            assertThat(send(SILENT, new Fetch(List.of("email"), 1, null, null, Duration.ofSeconds(20))))
                    .isNotDone();
        pass(Duration.ofMinutes(1));

        assertThat(circuits.notClosed()).isEmpty();
    }

    @Test
    void a_kafka_that_acknowledges_nothing_is_distinguished_from_a_log_that_does_not_answer() {
        MockProducer<String, byte[]> stuck = producer(false);
        try (KafkaCommandClient lost = new KafkaCommandClient(
                new Routing(64), traffic, stuck, completions, LocalPartitions.NONE, new FakeReplyTopic().listener)) {
            for (int i = 0; i < 5; i++)
                assertThat(lost.send(SILENT, "email", WORK, PATIENCE)).isNotDone();
            pass(STALL.dividedBy(2));
            assertThat(circuits.isWorthAsking()).isTrue();
            pass(STALL.dividedBy(2));

            assertThatThrownBy(() -> Replies.await(lost.send(WELL, "email", WORK, PATIENCE)))
                    .isInstanceOf(CommandCircuitOpen.class)
                    .hasMessageStartingWith("Kafka does not answer");
            assertThat(lost.send(WELL, "email", ACK, PATIENCE)).isNotDone();
        }
    }

    @Test
    void it_is_known_how_far_a_log_is_behind() {
        CompletableFuture<Reply> first = send(WELL, WORK);
        CompletableFuture<Reply> second = send(WELL, WORK);
        CompletableFuture<Reply> third = send(WELL, WORK);
        answer(work, 0, first);
        assertThat(traffic.latencyTracker(WELL).recordsBehind()).isEqualTo(2);
        answer(work, 2, third);
        assertThat(traffic.latencyTracker(WELL).recordsBehind()).isZero();
        assertThat(traffic.latencyTracker(WELL).roundTrip()).isPositive();
        assertThat(second).isNotDone();
    }

    @Test
    void what_was_given_up_does_not_count_as_behind() {
        CompletableFuture<Reply> lost = send(WELL, WORK);
        assertThat(traffic.latencyTracker(WELL).recordsBehind()).isEqualTo(1);
        lost.cancel(false);
        assertThat(traffic.latencyTracker(WELL).recordsBehind()).isZero();
    }

    @Test
    void a_fetch_that_waits_does_not_count_as_behind() {
        assertThat(send(WELL, new Fetch(List.of("email"), 1, null, null, Duration.ofSeconds(20))))
                .isNotDone();
        assertThat(traffic.latencyTracker(WELL).recordsBehind()).isZero();
    }

    private void loseTheLog() {
        for (int i = 0; i < 5; i++) assertThat(send(SILENT, WORK)).isNotDone();
        pass(STALL);
        assertThat(circuits.of(SILENT).state()).isEqualTo(BreakerState.OPEN);
    }

    private CompletableFuture<Reply> send(PartitionId log, Command command) {
        return client.send(log, "email", command, PATIENCE);
    }

    private void answer(MockProducer<String, byte[]> producer, int number, CompletableFuture<Reply> reply) {
        var header = producer.history().get(number).headers().lastHeader(Headers.REPLY_TO);
        topic.receives(ReplyTo.parse(new String(header.value(), StandardCharsets.UTF_8)), "{}");
        assertThat(reply).isCompleted();
    }

    private void pass(Duration duration) {
        time.addAndGet(duration.toNanos());
    }
}
