package io.floodgate.processor.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Event;
import io.floodgate.processor.kernel.Outgoing;
import io.floodgate.processor.partition.Outcome;
import io.floodgate.processor.partition.PartitionEngine;
import io.floodgate.processor.partition.PartitionRecord;
import io.floodgate.processor.store.Stores;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.Routing;
import io.floodgate.topics.command.Command;
import io.floodgate.topics.command.CommandCodec;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Identity;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.command.ReplyTo;
import io.floodgate.topics.json.Json;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * One partition in memory: its engine, its stores, and its time, which stands still unless a test moves it. After every record
 * the partition must agree with a recount of itself.
 *
 * <p>{@code events}, {@code outgoing} and {@code changedQueues} speak of what happened since the test last acted.
 */
public final class TestPartition {
    public static final Instant START = Instant.parse("2026-01-01T12:00:00Z");

    private final PartitionId id;
    private final Routing routing;
    private final State state = new State();
    private final UnaryOperator<Stores> wrapping;
    private PartitionEngine engine;
    private boolean audited = true;
    private Instant now = START;
    private final List<PartitionRecord> records = new ArrayList<>();
    private long asked;
    private @Nullable ReplyTo lastAsked;
    private final Map<ReplyTo, Reply> answers = new LinkedHashMap<>();
    private final List<Event> events = new ArrayList<>();
    private final List<Outgoing> outgoing = new ArrayList<>();
    private final Set<String> changedQueues = new LinkedHashSet<>();

    /** The only log of a cluster with one partition: it owns everything. */
    public TestPartition() {
        this(new Routing(1).logs().getFirst(), new Routing(1));
    }

    public TestPartition(PartitionId id, Routing routing) {
        this(id, routing, stores -> stores);
    }

    /** @param wrapping lets a test stand between the engine and the stores */
    public TestPartition(PartitionId id, Routing routing, UnaryOperator<Stores> wrapping) {
        this.id = id;
        this.routing = routing;
        this.wrapping = wrapping;
        engine = new PartitionEngine(id, routing, wrapping.apply(state.stores()));
    }

    /** Leaves out the recount after every record, which takes longer the more jobs there are. */
    public TestPartition unaudited() {
        audited = false;
        return this;
    }

    // what a test does

    /** Appends the commands one by one, all at the same moment. */
    public TestPartition receives(Ask... asks) {
        forget();
        for (Ask ask : asks) {
            lastAsked = ask.asker() == null ? null : new ReplyTo(id.partition(), ask.asker(), ++asked);
            CommandCodec.Encoded encoded = CommandCodec.encode(ask.command());
            append(encoded.op(), encoded.value(), lastAsked, null, 0, 0, ask.sender());
        }
        return this;
    }

    /** Appends anything at all; a client waits for the answer. */
    public TestPartition receivesRaw(@Nullable String op, byte[] value) {
        forget();
        lastAsked = new ReplyTo(id.partition(), Ask.PUBLIC, ++asked);
        append(op, value, lastAsked, null, 0);
        return this;
    }

    /** The same record is appended a second time. */
    public TestPartition receivesAgain(PartitionRecord record) {
        forget();
        append(record.op(), record.value(), record.replyTo(), null, 0);
        return this;
    }

    /** The same, but no client waits. */
    public TestPartition receivesRawUnanswered(@Nullable String op, byte[] value) {
        forget();
        lastAsked = null;
        append(op, value, null, null, 0);
        return this;
    }

    /** A plain job, as a producer that only has a Kafka client appends it, with how long it waits for room. */
    public TestPartition receivesPlain(Commands.Job job, String blockTimeout) {
        forget();
        lastAsked = null;
        append(new PartitionRecord(
                records.size(), now, null, job.json(), null, null, 0, 0, null, blockTimeout, "", -1));
        return this;
    }

    /** A message of another partition arrives. */
    public TestPartition receives(PartitionId from, Outgoing message) {
        return receives(from, message, 0);
    }

    /**
     * The same.
     *
     * @param acked Kafka has had all of its messages to this partition up to this one
     */
    public TestPartition receives(PartitionId from, Outgoing message, long acked) {
        forget();
        append(message.op(), message.value(), message.replyTo(), from, message.sequence(), acked, message.by());
        return this;
    }

    /** A message as another partition would send it. */
    public TestPartition receives(PartitionId from, long sequence, Command message, @Nullable ReplyTo replyTo) {
        forget();
        CommandCodec.Encoded encoded = CommandCodec.encode(message);
        append(encoded.op(), encoded.value(), replyTo, from, sequence);
        return this;
    }

    /** Time passes, and a tick is appended whenever a timer is due, as it is in life. */
    public TestPartition after(Duration time) {
        forget();
        Instant end = now.plus(time);
        for (Instant next = engine.nextTimer(); next != null && !next.isAfter(end); next = engine.nextTimer()) {
            if (next.isAfter(now)) now = next;
            appendTick();
        }
        now = end;
        appendTick();
        return this;
    }

    public int waitingForKeys() {
        return engine.waitingForKeys();
    }

    /** A second engine from the same stores. */
    public PartitionEngine anotherEngine() {
        return new PartitionEngine(id, routing, wrapping.apply(state.stores()));
    }

    /** Keeps nothing but its state. */
    public TestPartition forgetsHistory() {
        forget();
        records.clear();
        answers.clear();
        return this;
    }

    /** The clock moves, and nothing is appended: no processor ran. */
    public TestPartition sleeps(Duration time) {
        now = now.plus(time);
        return this;
    }

    /** The stores stay, all that is in memory goes. */
    public TestPartition restarts() {
        engine = new PartitionEngine(id, routing, wrapping.apply(state.stores()));
        return this;
    }

    private void appendTick() {
        CommandCodec.Encoded tick = CommandCodec.encode(Commands.tick().command());
        append(tick.op(), tick.value(), null, null, 0);
    }

    private void append(
            @Nullable String op, byte[] value, @Nullable ReplyTo replyTo, @Nullable PartitionId from, long sequence) {
        append(op, value, replyTo, from, sequence, 0, null);
    }

    private void append(
            @Nullable String op,
            byte[] value,
            @Nullable ReplyTo replyTo,
            @Nullable PartitionId from,
            long sequence,
            long acked,
            @Nullable Identity by) {
        append(new PartitionRecord(
                records.size(),
                now,
                op,
                value,
                replyTo,
                from,
                sequence,
                acked,
                null,
                null,
                "",
                -1,
                Identity.written(by)));
    }

    private void append(PartitionRecord record) {
        records.add(record);
        Outcome outcome = engine.apply(record);
        for (Effects.Answer answer : outcome.answers()) {
            Reply before = answers.put(answer.to(), answer.reply());
            assertThat(before).as("%s is answered a second time", answer.to()).isNull();
        }
        events.addAll(outcome.events());
        outgoing.addAll(outcome.outgoing());
        changedQueues.addAll(outcome.changedQueues());
        if (audited) agreesWithItself();
    }

    /** Counts and orders agree with the stored jobs, and memory with what a restart would make of the stores. */
    public void agreesWithItself() {
        assertThat(engine.audit()).as("after offset %d", records.size() - 1).isEmpty();
        PartitionEngine again = new PartitionEngine(id, routing, state.copy().stores());
        assertThat(engine.nextTimer())
                .as("next timer, in memory and after a restart")
                .isEqualTo(again.nextTimer());
        assertThat(again.audit()).as("after a restart").isEmpty();
        assertThat(engine.workflows().running())
                .as("unfinished workflows, in memory and after a restart")
                .isEqualTo(again.workflows().running());
        assertThat(engine.workflows().unfinishedSteps())
                .as("unfinished steps, in memory and after a restart")
                .isEqualTo(again.workflows().unfinishedSteps());
    }

    private void forget() {
        events.clear();
        outgoing.clear();
        changedQueues.clear();
    }

    // what a test sees

    public PartitionId id() {
        return id;
    }

    public Routing routing() {
        return routing;
    }

    public Instant now() {
        return now;
    }

    public PartitionEngine engine() {
        return engine;
    }

    public State state() {
        return state;
    }

    /** The number of the last question. */
    public long lastNumber() {
        return asked;
    }

    /** Everything appended so far. */
    public List<PartitionRecord> records() {
        return records;
    }

    /** Every answer given so far. */
    public Map<ReplyTo, Reply> answers() {
        return answers;
    }

    /** The answer to the last command. */
    public Answered replies() {
        assertThat(lastAsked).as("the last command wants no answer").isNotNull();
        Reply reply = answers.get(lastAsked);
        assertThat(reply).as("the last command is not answered yet").isNotNull();
        return new Answered(reply);
    }

    public Answered rejects(ErrorCode code) {
        return replies().rejected(code);
    }

    /** The last answer to the client with this name. */
    public Answered repliesTo(String asker) {
        return answers.entrySet().stream()
                .filter(answer -> answer.getKey().requester().equals(asker))
                .reduce((earlier, later) -> later)
                .map(answer -> new Answered(answer.getValue()))
                .orElseThrow(() -> new AssertionError(asker + " is still waiting"));
    }

    /** They have got no answer yet. */
    public TestPartition keepsWaiting(String... askers) {
        assertThat(answers.keySet().stream().map(ReplyTo::requester)).doesNotContain(askers);
        return this;
    }

    /** The types of the events since the test last acted: exactly these. */
    public TestPartition emits(String... types) {
        assertThat(events().stream().map(event -> event.text("type"))).containsExactly(types);
        return this;
    }

    public List<Shown> events() {
        return events.stream().map(event -> Shown.of(event.envelope())).toList();
    }

    /** The data of the only event of this type. */
    public Shown event(String type) {
        List<Shown> found = events().stream()
                .filter(event -> event.text("type").equals(type))
                .toList();
        assertThat(found).as("events of type %s among %s", type, events()).hasSize(1);
        return new Shown(found.getFirst().json().get("data"));
    }

    public List<Event> rawEvents() {
        return events;
    }

    public List<Outgoing> outgoing() {
        return outgoing;
    }

    public Set<String> changedQueues() {
        return changedQueues;
    }

    /** The queue as its status shows it. */
    public Shown status(String queue) {
        return Shown.of(engine.status(queue).orElseThrow(() -> new AssertionError("no queue " + queue)));
    }

    /** The job, with its errors, as a reader would be shown it; looking appends nothing. */
    public Shown job(String nickname) {
        Reply reply = look(Commands.getJob(nickname));
        List<byte[]> lines = ((Reply.Done) reply).lines();
        ObjectNode job = (ObjectNode) Json.tree(lines.getFirst());
        if (lines.size() > 1) job.setAll((ObjectNode) Json.tree(lines.get(1)));
        return new Shown(job);
    }

    public boolean knows(String nickname) {
        return look(Commands.getJob(nickname)) instanceof Reply.Done;
    }

    public Answered worker(String worker) {
        return new Answered(look(Commands.getWorker(worker)));
    }

    /** The answer that a copy of this partition would give. */
    public Reply look(Ask ask) {
        CommandCodec.Encoded encoded = CommandCodec.encode(ask.command());
        ReplyTo observer = new ReplyTo(0, "observer", 0);
        Outcome outcome = new PartitionEngine(id, routing, state.copy().stores())
                .apply(new PartitionRecord(records.size(), now, encoded.op(), encoded.value(), observer, null, 0));
        return outcome.answers().stream()
                .filter(answer -> answer.to().equals(observer))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no answer to " + encoded.op()))
                .reply();
    }

    /** What happened, for messages of failed tests. */
    @Override
    public String toString() {
        return Stream.concat(
                        records.stream().map(r -> r.op() + " " + new String(r.value(), StandardCharsets.UTF_8)),
                        Stream.of(state.entries().size() + " entries"))
                .toList()
                .toString();
    }
}
