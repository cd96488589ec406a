package io.floodgate.processor.topology;

import static io.floodgate.processor.testing.Commands.enqueue;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.testing.Ids;
import io.floodgate.processor.testing.MutedLogs;
import io.floodgate.processor.testing.TestPartition;
import io.floodgate.topics.Routing;
import io.floodgate.topics.Topics;
import io.floodgate.topics.command.CommandBatch;
import io.floodgate.topics.command.UnreadableCommand;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

class OutboxTest {
    private final Routing routing = new Routing(4);
    private final TestPartition log = new TestPartition(routing.logs().get(0), routing);
    private final String queue = Ids.queueIn(routing.logs().get(1), routing, "queue");
    private final String other = Ids.queueIn(routing.logs().get(2), routing, "other");
    private final FakeScheduler time = new FakeScheduler(Instant.parse("2026-01-01T12:00:00Z"));
    private final PlainProducer producer = new PlainProducer(false);
    private final Outbox outbox = outbox(producer);
    private final List<String> told = new ArrayList<>();

    private Outbox outbox(PlainProducer to) {
        return new Outbox(log.id(), log.engine(), to.writer(), routing, time.clock);
    }

    private void sends(String job) {
        adds(job);
        outbox.tidy();
    }

    private void adds(String job) {
        log.receives(enqueue(Ids.nicknameIn(log.id(), routing, job)).to(queue));
        outbox.add(List.copyOf(log.outgoing()), () -> told.add(job));
    }

    private static List<String> sequences(PlainProducer producer) {
        return producer.sentTo(Topics.COMMANDS).stream()
                .map(record -> PlainProducer.header(record, "ojs-sequence"))
                .toList();
    }

    @Test
    void sends_a_message_with_its_sender_and_its_number() {
        sends("j");
        var sent = producer.sentTo(Topics.COMMANDS).getFirst();
        assertThat(sent.partition()).isEqualTo(1);
        assertThat(sent.key()).isEqualTo(queue);
        assertThat(PlainProducer.header(sent, "ojs-op")).isEqualTo("store-claimed");
        assertThat(PlainProducer.header(sent, "ojs-from")).isEqualTo("ojs.commands/0");
        assertThat(PlainProducer.header(sent, "ojs-sequence")).isEqualTo("1");
        assertThat(PlainProducer.header(sent, "ojs-reply-to")).isEqualTo("0:test:1");
    }

    @Test
    void what_is_for_the_same_partition_leaves_in_one_record() throws UnreadableCommand {
        adds("a");
        adds("b");
        adds("c");
        assertThat(producer.sentTo(Topics.COMMANDS)).isEmpty();
        outbox.tidy();
        var sent = producer.sentTo(Topics.COMMANDS);
        assertThat(sent).hasSize(1);
        assertThat(PlainProducer.header(sent.getFirst(), "ojs-op")).isEqualTo("command-batch");
        assertThat(PlainProducer.header(sent.getFirst(), "ojs-from")).isEqualTo("ojs.commands/0");
        assertThat(PlainProducer.header(sent.getFirst(), "ojs-sequence")).isEqualTo("1");
        assertThat(PlainProducer.header(sent.getFirst(), "ojs-reply-to")).isNull();
        assertThat(CommandBatch.decode(sent.getFirst().value()))
                .extracting(part -> part.op() + " " + part.replyTo())
                .containsExactly("store-claimed 0:test:1", "store-claimed 0:test:2", "store-claimed 0:test:3");
        producer.producer.completeNext();
        assertThat(told).containsExactly("a", "b", "c");
        outbox.tidy();
        assertThat(log.engine().unsent()).isEmpty();
    }

    @Test
    void a_record_has_a_hundred_messages_at_most_and_leaves_when_it_is_full() throws UnreadableCommand {
        for (int i = 0; i < 250; i++) adds("job-" + i + "-");
        assertThat(sequences(producer)).containsExactly("1", "101");
        outbox.tidy();
        assertThat(sequences(producer)).containsExactly("1", "101", "201");
        assertThat(CommandBatch.decode(
                        producer.sentTo(Topics.COMMANDS).getLast().value()))
                .hasSize(50);
        producer.producer.errorNext(new TimeoutException("no broker"));
        producer.producer.completeNext();
        producer.producer.completeNext();
        try (MutedLogs muted = MutedLogs.of(Receiver.class.getName())) {
            outbox.tidy();
        }
        assertThat(told).isEmpty();
        time.advance(Duration.ofSeconds(1));
        outbox.tidy();
        assertThat(sequences(producer)).containsExactly("1", "101", "201", "1", "101", "201");
    }

    @Test
    void keeps_a_message_until_it_is_appended() {
        sends("j");
        outbox.tidy();
        assertThat(log.engine().unsent()).hasSize(1);
        producer.producer.completeNext();
        outbox.tidy();
        assertThat(log.engine().unsent()).isEmpty();
    }

    @Test
    void callers_are_informed_once_their_messages_are_appended() {
        sends("a");
        assertThat(told).isEmpty();
        producer.producer.completeNext();
        assertThat(told).containsExactly("a");
        outbox.add(List.of(), () -> told.add("no message"));
        assertThat(told).containsExactly("a", "no message");
    }

    @Test
    void sends_what_it_has_kept_again_after_a_restart_in_order() throws UnreadableCommand {
        sends("a");
        sends("b");
        sends("c");
        producer.producer.completeNext();
        outbox.tidy();
        log.restarts();
        PlainProducer later = new PlainProducer(false);
        outbox(later);
        assertThat(sequences(later)).containsExactly("2");
        assertThat(CommandBatch.decode(later.sentTo(Topics.COMMANDS).getFirst().value()))
                .extracting(CommandBatch.Part::value)
                .containsExactly(
                        producer.sentTo(Topics.COMMANDS).get(1).value(),
                        producer.sentTo(Topics.COMMANDS).get(2).value());
    }

    @Test
    void what_cannot_be_appended_is_sent_again_with_all_that_came_after_it() {
        sends("a");
        sends("b");
        try (MutedLogs muted = MutedLogs.of(Receiver.class.getName())) {
            producer.producer.errorNext(new TimeoutException("no broker"));
            outbox.tidy();
        }
        // The second one is still on its way, perhaps into the partition, where it would be heard before the first.
        assertThat(sequences(producer)).containsExactly("1", "2");
        producer.producer.completeNext();
        try (MutedLogs muted = MutedLogs.of(Receiver.class.getName())) {
            outbox.tidy();
        }
        assertThat(told).isEmpty();
        assertThat(log.engine().unsent()).hasSize(2);
        assertThat(outbox.failing()).isEqualTo(1);
        time.advance(Duration.ofSeconds(1));
        outbox.tidy();
        assertThat(sequences(producer)).containsExactly("1", "2", "1");
        producer.producer.completeNext();
        outbox.tidy();
        assertThat(told).containsExactly("a", "b");
        assertThat(log.engine().unsent()).isEmpty();
        assertThat(outbox.isEmpty()).isTrue();
        assertThat(outbox.failing()).isZero();
    }

    @Test
    void a_receiver_that_cannot_be_reached_holds_up_no_other() {
        sends("a");
        producer.producer.errorNext(new TimeoutException("no broker"));
        try (MutedLogs muted = MutedLogs.of(Receiver.class.getName())) {
            outbox.tidy();
        }
        log.receives(enqueue(Ids.nicknameIn(log.id(), routing, "b")).to(other));
        outbox.add(List.copyOf(log.outgoing()), () -> told.add("b"));
        outbox.tidy();
        producer.producer.completeNext();
        assertThat(told).containsExactly("b");
    }

    @Test
    void says_up_to_where_all_has_been_appended() {
        sends("a");
        sends("b");
        producer.producer.completeNext();
        producer.producer.completeNext();
        outbox.tidy();
        sends("c");
        assertThat(producer.sentTo(Topics.COMMANDS).stream().map(record -> PlainProducer.header(record, "ojs-acked")))
                .containsExactly("0", "0", "2");
    }

    @Test
    void what_waits_for_a_slow_receiver_is_kept_on_disk_and_not_in_memory() throws UnreadableCommand {
        for (int i = 0; i < 2_500; i++) sends("job-" + i + "-");
        assertThat(sequences(producer)).hasSize(1_000);
        for (int i = 0; i < 3_000; i++) {
            producer.producer.completeNext();
            outbox.tidy();
        }
        int sent = 0;
        for (var record : producer.sentTo(Topics.COMMANDS)) {
            assertThat(PlainProducer.header(record, "ojs-sequence")).isEqualTo(Integer.toString(sent + 1));
            boolean isAlone = !CommandBatch.OP.equals(PlainProducer.header(record, "ojs-op"));
            sent += isAlone ? 1 : CommandBatch.decode(record.value()).size();
        }
        assertThat(sent).isEqualTo(2_500);
        assertThat(outbox.isEmpty()).isTrue();
    }
}
