package io.floodgate.processor.partition;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.kernel.Effects.Answer;
import io.floodgate.processor.testing.State;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.Routing;
import io.floodgate.topics.command.CommandBatch;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.command.ReplyTo;
import io.floodgate.topics.json.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Commands in one record are executed one by one, each with its own answer. */
class CommandBatchesTest {
    private static final Routing ROUTING = new Routing(1);
    private static final PartitionId LOG = ROUTING.logs().getFirst();

    private final State state = new State();
    private final PartitionEngine engine = new PartitionEngine(LOG, ROUTING, state.stores());

    private static PartitionRecord record(long offset, String op, byte[] value, @Nullable ReplyTo replyTo) {
        return new PartitionRecord(offset, Instant.EPOCH.plusSeconds(offset), op, value, replyTo, null, 0);
    }

    private static CommandBatch.Part part(long correlation, String op, String json) {
        return new CommandBatch.Part(op, json.getBytes(UTF_8), new ReplyTo(0, "me", correlation), null);
    }

    private static PartitionRecord commandBatch(long offset, CommandBatch.Part... parts) {
        var encoded = CommandBatch.encode(List.of(parts));
        return record(offset, encoded.op(), encoded.value(), null);
    }

    private List<Outcome> outcomes(PartitionRecord record) {
        List<Outcome> outcomes = new ArrayList<>();
        engine.apply(record, outcomes::add);
        return outcomes;
    }

    private static List<String> jobIds(List<Outcome> outcomes) {
        return outcomes.stream()
                .flatMap(outcome -> outcome.events().stream())
                .map(event -> Json.tree(event.envelope()))
                .filter(event -> event.get("type").stringValue().equals("job.enqueued"))
                .map(event -> event.get("subject").stringValue())
                .toList();
    }

    @Test
    void each_command_is_answered_by_itself_and_what_it_caused_is_carried_away_before_the_next() {
        List<Outcome> outcomes = outcomes(commandBatch(
                0,
                part(1, "enqueue", "{\"type\":\"a\",\"args\":[]}"),
                part(2, "nonsense", "{}"),
                part(3, "fetch", "{\"queues\":[\"default\"],\"count\":5,\"wait_ms\":0}")));
        assertThat(outcomes)
                .hasSize(3)
                .allSatisfy(outcome -> assertThat(outcome.answers()).hasSize(1));
        assertThat(outcomes.get(0).answers().getFirst().to().correlation()).isEqualTo(1);
        assertThat(outcomes.get(1).answers().getFirst().reply()).isInstanceOf(Reply.Rejected.class);
        assertThat(outcomes.get(2).answers().getFirst().reply().toString()).contains("\"type\":\"a\"");
        assertThat(engine.audit()).isEmpty();
    }

    @Test
    void jobs_without_an_id_get_different_ones_and_so_do_their_events() {
        String job = "{\"type\":\"a\",\"args\":[]}";
        List<Outcome> outcomes =
                outcomes(commandBatch(0, part(1, "enqueue", job), part(2, "enqueue", job), part(3, "enqueue", job)));
        assertThat(jobIds(outcomes)).hasSize(3).doesNotHaveDuplicates();
        assertThat(outcomes.stream()
                        .flatMap(outcome -> outcome.events().stream())
                        .map(event -> Json.tree(event.envelope()).get("id").stringValue()))
                .hasSizeGreaterThanOrEqualTo(3)
                .doesNotHaveDuplicates();
    }

    @Test
    void a_batch_is_executed_once() {
        PartitionRecord commandBatch = commandBatch(0, part(1, "enqueue", "{\"type\":\"a\",\"args\":[]}"));
        assertThat(outcomes(commandBatch)).hasSize(1);
        assertThat(outcomes(commandBatch)).isEmpty();
        assertThat(engine.position()).isZero();
    }

    @Test
    void one_that_cannot_be_read_is_rejected_and_reported_as_a_whole() {
        Outcome outcome =
                engine.apply(record(0, CommandBatch.OP, "ack 7 - -\n{}\n".getBytes(UTF_8), new ReplyTo(0, "me", 1)));
        Answer answer = outcome.answers().getFirst();
        assertThat(answer.reply().toString()).contains("command batch");
        Outcome unanswered = engine.apply(record(1, CommandBatch.OP, new byte[0], null));
        assertThat(unanswered.events())
                .anySatisfy(event -> assertThat(new String(event.envelope(), UTF_8))
                        .contains("floodgate.record_rejected", "\"op\":\"command-batch\""));
    }

    @Test
    void messages_of_a_batch_have_numbers_without_a_gap_and_each_is_taken_once() {
        assertThat(pausedBy(messages(0, 1, "a", "b", "c"))).containsExactly("a", "b", "c");
        assertThat(pausedBy(messages(1, 2, "b", "c", "d", "e"))).containsExactly("d", "e");
        assertThat(pausedBy(messages(2, 7, "g", "h"))).isEmpty();
        assertThat(pausedBy(messages(3, 6, "f", "g"))).containsExactly("f", "g");
    }

    @Test
    void who_does_not_say_its_number_sends_no_messages() {
        assertThat(pausedBy(messages(0, -1, "a", "b", "c"))).containsExactly("a", "b", "c");
        assertThat(pausedBy(messages(1, 1, "d"))).containsExactly("d");
    }

    private static PartitionRecord messages(long offset, long first, String... queues) {
        var encoded = CommandBatch.encode(Stream.of(queues)
                .map(queue -> new CommandBatch.Part(
                        "pause", "{\"queue\":\"%s\"}".formatted(queue).getBytes(UTF_8), null, null))
                .toList());
        return new PartitionRecord(
                offset, Instant.EPOCH.plusSeconds(offset), encoded.op(), encoded.value(), null, LOG, first);
    }

    /** The queues that were paused. */
    private List<String> pausedBy(PartitionRecord record) {
        return outcomes(record).stream()
                .flatMap(outcome -> outcome.events().stream())
                .map(event -> Json.tree(event.envelope()))
                .filter(event -> event.get("type").stringValue().equals("queue.paused"))
                .map(event -> event.get("subject").stringValue())
                .toList();
    }
}
