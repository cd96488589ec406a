package io.floodgate.processor.simulation;

import io.floodgate.processor.partition.Outcome;
import io.floodgate.processor.partition.PartitionEngine;
import io.floodgate.processor.partition.PartitionRecord;
import io.floodgate.processor.store.Keys;
import io.floodgate.processor.store.Stores;
import io.floodgate.processor.testing.State;
import io.floodgate.topics.JobId;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.Routing;
import io.floodgate.topics.Slot;
import io.floodgate.topics.command.Command;
import io.floodgate.topics.command.CommandCodec;
import io.floodgate.topics.command.PartitionCommand.Tick;
import io.floodgate.topics.command.ReplyTo;
import io.floodgate.topics.json.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The real engine and the {@link Reference} side by side: each record goes to both, and afterwards they must agree about
 * every reply, every job, every count.
 */
final class Walk {
    private static final Routing ROUTING = new Routing(1);
    private static final PartitionId LOG = new PartitionId(0);
    static final String REQUESTER = "walk";
    private static final long BEGINNING = 1_800_000_000_000L;

    final Chance chance;
    final Reference reference = new Reference();
    private final Stores stores = new State().stores();
    private final PartitionEngine engine = new PartitionEngine(LOG, ROUTING, stores);
    private final Lives lives = new Lives();
    private final Map<Long, Command> asked = new LinkedHashMap<>();
    private long now = BEGINNING;
    private long before;
    private long offset;
    private long correlation;
    private long chosenIds;

    /** Whether some of the jobs have rate limits, and some fetches want some types only. */
    final boolean selective;

    /** Whether tenants take turns in some queues. */
    final boolean fair;

    /** Whether some jobs have order keys. */
    final boolean ordered;

    private Walk(long seed, boolean selective, boolean fair) {
        this(seed, selective, fair, false);
    }

    private Walk(long seed, boolean selective, boolean fair, boolean ordered) {
        this.ordered = ordered;
        chance = new Chance(seed);
        this.selective = selective;
        this.fair = fair;
    }

    static void run(long seed, int steps) {
        run(seed, steps, false);
    }

    static void run(long seed, int steps, boolean selective) {
        run(new Walk(seed, selective, false), steps);
    }

    static void runFair(long seed, int steps, boolean selective) {
        run(new Walk(seed, selective, true), steps);
    }

    static void runOrdered(long seed, int steps, boolean selective) {
        run(new Walk(seed, selective, false, true), steps);
    }

    private static void run(Walk walk, int steps) {
        WalkStep step = new WalkStep(walk);
        for (int i = 0; i < steps; i++) {
            try {
                walk.now = Math.max(walk.now, WalkTimes.next(walk.chance, walk.now, walk.reference));
                step.take();
                if (i % 50 == 49) step.lookAround(i + 1 == steps);
            } catch (RuntimeException | AssertionError failure) {
                throw new AssertionError("step %d: %s".formatted(i, failure.getMessage()), failure);
            }
        }
    }

    /** Of any question there has been. */
    long someCorrelation() {
        return chance.below((int) correlation + 1);
    }

    long now() {
        return now;
    }

    /** An id as a producer would choose it: of any slot, some of them of the same millisecond. */
    JobId newId(String queue) {
        chosenIds++;
        return JobId.make(Slot.of(queue), BEGINNING + chance.below(3), chance.bits() ^ chosenIds);
    }

    /** Time passes on its own. */
    void tickAfter(long millis) {
        now += millis;
        perform(new Tick(), number -> "ticked");
    }

    /** @param expected what the reference says to it, with the number of the question; null while it has to wait */
    void perform(Command command, LongFunction<@Nullable String> expected) {
        long number = ++correlation;
        asked.put(number, command);
        CommandCodec.Encoded encoded = CommandCodec.encode(command);
        Outcome outcome = engine.apply(record(encoded.op(), encoded.value(), number));
        adoptForgotten();
        reference.passTimeTo(now);
        if (command instanceof Tick) reference.takeTurn();
        String answer = expected.apply(number);
        if (answer != null) reference.answer(number, answer);
        compare(command, outcome);
    }

    /** A job of a plain Kafka client, which gets no answer; the partition makes its id. */
    void receiveUnnamed(Submission wish) {
        Outcome outcome = engine.apply(record(null, wish.json(), 0));
        adoptForgotten();
        reference.passTimeTo(now);
        Optional<JobId> made = outcome.events().stream()
                .map(event -> Json.tree(event.envelope()).get("subject").stringValue())
                .flatMap(subject -> JobId.parse(subject).stream())
                .filter(id -> reference.find(id) == null)
                .findFirst();
        // An id that no job has, for a job that there may be no room for.
        String answer = reference.enqueue(wish.named(made.orElseGet(() -> newId(wish.queue()))), 0, ++correlation);
        if (made.isPresent() == String.valueOf(answer).startsWith("rejected"))
            throw new AssertionError("%s, where the reference says: %s".formatted(made, answer));
        compare(wish, outcome);
    }

    /** What no client of ours would send. */
    void receivePoison(@Nullable String op, byte[] value) {
        Outcome outcome = engine.apply(record(op, value, 0));
        adoptForgotten();
        reference.passTimeTo(now);
        boolean told = outcome.events().stream()
                .anyMatch(event ->
                        Json.tree(event.envelope()).get("type").stringValue().equals("floodgate.record_rejected"));
        if (!told) throw new AssertionError("a poison record was swallowed");
        compare("poison", outcome);
    }

    private PartitionRecord record(@Nullable String op, byte[] value, long number) {
        ReplyTo replyTo = number == 0 ? null : new ReplyTo(0, REQUESTER, number);
        // Now and then the broker's clock has stepped back; the partition's time does not.
        long appended = chance.oneIn(30) ? now - chance.below(5_000) : now;
        now = Math.max(before, appended);
        before = now;
        return new PartitionRecord(offset++, Instant.ofEpochMilli(appended), op, value, replyTo, null, 0);
    }

    /** A finished job may be forgotten at any time after its retention. */
    private void adoptForgotten() {
        for (RefJob job : reference.ripeAt(now)) {
            if (stores.jobs().get(Keys.terminal(job.id)) != null) continue;
            reference.jobs.remove(job);
            reference.turns.look();
            lives.forget(job.name);
        }
    }

    private void compare(Object what, Outcome outcome) {
        List<String> answers = new ArrayList<>();
        outcome.answers().forEach(answer -> {
            Command question = asked.get(answer.to().correlation());
            if (question == null) throw new AssertionError("no command asked for " + answer);
            answers.add(answer.to().correlation() + ": " + Shown.reply(question, answer.reply()));
        });
        List<String> expected = reference.end();
        if (!answers.equals(expected))
            throw new AssertionError(
                    "at %d, after %s:%n  expected %s%n  answered %s".formatted(now, what, expected, answers));
        outcome.events().forEach(event -> lives.see(event.envelope()));
        compareLives(what);
        for (String queue : outcome.changedQueues()) compareStatus(queue, what);
        List<String> problems = offset % 4 == 0 ? engine.audit() : List.of();
        if (!problems.isEmpty()) throw new AssertionError("at %d, after %s: %s".formatted(now, what, problems));
    }

    private void compareLives(Object what) {
        for (RefJob job : reference.jobs) {
            Lives.Life told = lives.all().get(job.name);
            if (told == null || !job.is(told.state()) || job.attempt != told.attempt() || job.lease != told.lease())
                throw new AssertionError(
                        "at %d, after %s: job should be %s, events say %s".formatted(now, what, job.text(true), told));
        }
        if (lives.all().size() != reference.jobs.size())
            throw new AssertionError("at %d, after %s: events tell of %d jobs, there should be %d"
                    .formatted(now, what, lives.all().size(), reference.jobs.size()));
    }

    private void compareStatus(String queue, Object what) {
        Optional<byte[]> published = engine.status(queue);
        if (published.isEmpty()) {
            if (reference.endings.exists(queue)) throw new AssertionError("queue %s is gone".formatted(queue));
            return;
        }
        String status = Shown.queue(Json.tree(published.get()));
        if (!status.equals(reference.status(queue)))
            throw new AssertionError("at %d, after %s:%n  expected %s%n  status   %s"
                    .formatted(now, what, reference.status(queue), status));
    }
}
