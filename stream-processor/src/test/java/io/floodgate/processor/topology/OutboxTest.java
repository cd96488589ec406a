package io.floodgate.processor.topology;

import static io.floodgate.processor.testing.Commands.enqueue;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.floodgate.processor.testing.Ids;
import io.floodgate.processor.testing.Log;
import io.floodgate.topics.Routing;
import io.floodgate.topics.Topics;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.streams.errors.StreamsException;
import org.junit.jupiter.api.Test;

class OutboxTest {
    private final Routing routing = new Routing(2);
    private final Log log = new Log(routing.logs().get(0), routing);
    private final String queue = Ids.queueIn(routing.logs().get(1), routing, "queue");
    private final PlainProducer producer = new PlainProducer(false);
    private final Outbox outbox = outbox(producer);
    private final List<String> told = new ArrayList<>();

    private Outbox outbox(PlainProducer to) {
        return new Outbox(log.id(), log.engine(), to.writer());
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
        assertThat(PlainProducer.header(sent, "ojs-op")).isEqualTo("place");
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
    void callers_are_told_once_their_messages_are_appended() {
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
    void stops_everything_when_a_message_cannot_be_appended() {
        sends("a");
        sends("b");
        producer.producer.errorNext(new TimeoutException("no broker"));
        producer.producer.completeNext();
        assertThatThrownBy(outbox::tidy)
                .isInstanceOf(StreamsException.class)
                .hasMessageContaining("ojs.commands/0")
                .hasRootCauseMessage("no broker");
        // The second one was appended, but its receiver will not hear it before the first.
        assertThat(log.engine().unsent()).hasSize(2);
        assertThat(told).isEmpty();
    }
}
