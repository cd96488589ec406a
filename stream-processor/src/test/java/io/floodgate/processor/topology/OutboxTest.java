package io.floodgate.processor.topology;

import static io.floodgate.processor.testing.Commands.enqueue;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.testing.Ids;
import io.floodgate.processor.testing.MutedLogs;
import io.floodgate.processor.testing.TestPartition;
import io.floodgate.topics.Routing;
import io.floodgate.topics.Topics;
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
        log.receives(enqueue(Ids.nicknameIn(log.id(), routing, job)).to(queue));
        outbox.send(List.copyOf(log.outgoing()), () -> told.add(job));
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
        outbox.send(List.of(), () -> told.add("no message"));
        assertThat(told).containsExactly("a", "no message");
    }

    @Test
    void sends_what_it_has_kept_again_after_a_restart_in_order() {
        sends("a");
        sends("b");
        sends("c");
        producer.producer.completeNext();
        outbox.tidy();
        log.restarts();
        PlainProducer later = new PlainProducer(false);
        outbox(later);
        assertThat(sequences(later)).containsExactly("2", "3");
        assertThat(later.sentTo(Topics.COMMANDS).getFirst().value())
                .isEqualTo(producer.sentTo(Topics.COMMANDS).get(1).value());
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
        assertThat(sequences(producer)).containsExactly("1", "2", "1", "2");
        producer.producer.completeNext();
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
        outbox.send(List.copyOf(log.outgoing()), () -> told.add("b"));
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
    void what_waits_for_a_slow_receiver_is_kept_on_disk_and_not_in_memory() {
        for (int i = 0; i < 2_500; i++) sends("job-" + i + "-");
        assertThat(sequences(producer)).hasSize(1_000);
        for (int i = 0; i < 3_000; i++) {
            producer.producer.completeNext();
            outbox.tidy();
        }
        assertThat(sequences(producer)).hasSize(2_500).last().isEqualTo("2500");
        assertThat(outbox.isEmpty()).isTrue();
    }
}
