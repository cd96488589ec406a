package io.floodgate.processor.batch;

import io.floodgate.processor.batch.BatchState.Part;
import io.floodgate.processor.batch.BatchState.Patience;
import io.floodgate.processor.directory.Directory;
import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Entity;
import io.floodgate.processor.kernel.Handlers;
import io.floodgate.processor.kernel.PartitionContext;
import io.floodgate.processor.kernel.Quarantine;
import io.floodgate.processor.kernel.Timers;
import io.floodgate.processor.kernel.Timers.Kind;
import io.floodgate.processor.kernel.Timers.Timer;
import io.floodgate.processor.queue.QueueRules;
import io.floodgate.processor.queue.bound.Bounds;
import io.floodgate.processor.unique.UniqueKeys;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.Topics;
import io.floodgate.topics.command.Command;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.command.Message.HasRoom;
import io.floodgate.topics.command.Message.Prepare;
import io.floodgate.topics.command.Message.Prepared;
import io.floodgate.topics.command.Message.Settle;
import io.floodgate.topics.command.Message.Unsettled;
import io.floodgate.topics.command.PartitionCommand.Withdraw;
import io.floodgate.topics.command.Patient;
import io.floodgate.topics.command.QueueCommand.EndHold;
import io.floodgate.topics.command.QueueCommand.EnqueueBatch;
import io.floodgate.topics.command.QueueCommand.HoldBatch;
import io.floodgate.topics.command.QueueCommand.HoldRoom;
import io.floodgate.topics.command.QueueDemand;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.command.UniqueMessage.HolderCancelled;
import io.floodgate.topics.command.UniqueMessage.KeysClaimed;
import io.floodgate.topics.job.EnvelopeReader;
import io.floodgate.topics.job.UnreadableJob;
import io.floodgate.topics.json.JsonOut;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Batches: stored whole or not at all (OJS HTTP binding §9.2).
 *
 * <p>When all its queues live in this partition, a batch is one step. Otherwise this partition coordinates:
 *
 * <pre>
 *   coordinator        participants
 *     Prepare  ──────▶  reserve jobs and ids, unseen but counted
 *              ◀──────  Prepared, or rejected and nothing reserved
 *     (all prepared: the batch is stored, and its sender answered)
 *     Settle   ──────▶  let them go into their queues, or drop them
 * </pre>
 *
 * A batch that can wait for room asks all of them at once first, and should one of them have none, one after the other; it
 * stands in the line of the first that has none, and holds nothing meanwhile.
 *
 * <p>A batch that would be too much for a step comes in parts, each of which is held like that until its sender has the
 * answers for all, and has them stored together.
 *
 * <p>A participant that has not answered after a while has rejected, and one that gets no message asks: so every batch
 * is settled, whichever processor crashes, and whatever Kafka loses.
 */
public final class Batches implements Entity {
    /** A participant that is alive answers within milliseconds, and one that restarts within seconds. */
    static final Duration PREPARED_WITHIN = Duration.ofMinutes(1);

    /** Most bytes of a part, so that it fits into a record with all that is around it. */
    static final long PART_BYTES = Topics.MAX_RECORD_BYTES - 1024L * 1024;

    private final QueueRules queues;
    private final Directory directory;
    private final UniqueKeys keys;
    private final Timers timers;
    private final BatchReader reader;
    private final BatchStates states;
    private final Reservations reservations;
    private final Decisions decisions;
    private final PatientBatches patient;
    private final WaitingBatches waiting;
    private final HeldBatches held;
    private final UniqueBatches unique;
    private final Participants participants;
    private final Effects out;

    public Batches(QueueRules queues, Directory directory, UniqueKeys keys, PartitionContext context) {
        this.keys = keys;
        unique = new UniqueBatches(this, keys, queues, context);
        this.queues = queues;
        this.directory = directory;
        this.timers = context.timers();
        this.out = context.out();
        reader = new BatchReader(out.log(), context.routing(), queues.lastRead());
        reservations = new Reservations(queues, directory, context);
        decisions = new Decisions(context.entities(), context.work(), context.out());
        patient = new PatientBatches(context.entities(), context.undo());
        states = new BatchStates(context, patient);
        participants = new Participants(unique, out);
        waiting = new WaitingBatches(states, reader, patient, unique, decisions, participants, out);
        held = new HeldBatches(states, unique, decisions, participants, reservations, context);
    }

    @Override
    public void register(Handlers handlers) {
        handlers.on(EnqueueBatch.class, c -> enqueue(c, out.nextNumber()));
        handlers.on(HoldRoom.class, c -> holdRoom(c, out.nextNumber()));
        handlers.on(HoldBatch.class, c -> hold(c, out.nextNumber()));
        handlers.on(EndHold.class, held::end);
        handlers.on(Withdraw.class, c -> {
            waiting.withdraw(c);
            queues.withdraw(c);
        });
        handlers.on(Prepare.class, this::prepare);
        handlers.on(Prepared.class, this::prepared);
        handlers.on(Settle.class, this::settle);
        handlers.on(HasRoom.class, waiting::hasRoom);
        handlers.on(Unsettled.class, this::unsettled);
        handlers.on(KeysClaimed.class, unique::claimed);
        handlers.on(HolderCancelled.class, unique::cancelled);
    }

    // ---- time

    @Override
    public void load() {
        states.load();
        patient.load();
        unique.load();
        reservations.load();
    }

    @Override
    public void rollBack() {
        unique.forgetRecent();
    }

    @Override
    public boolean fire(Timer timer) {
        if (timer.kind() != Kind.BATCH) return false;
        if (timer.name().indexOf('#') >= 0) reservations.ask(timer.name());
        else giveUp(Long.parseLong(timer.name()));
        return true;
    }

    private void giveUp(long number) {
        out.about(Quarantine.BATCH, Long.toString(number));
        BatchState batch = states.find(number);
        if (batch == null) {
            unique.giveUp(number);
            return;
        }
        if (unique.isDecided(number)) {
            // It is stored for certain: jobs that have to make way get the message again.
            states.setUntil(number, batch, out.now().plus(PREPARED_WITHIN));
            unique.cancelsFirst(number);
            return;
        }
        if (batch.patience != null && batch.patience.standing) {
            // mutant: batch-asks-last
            waiting.askForTheLastTime(number, batch, batch.patience);
            return;
        }
        batch.rejection = Rejection.of(
                ErrorCode.BACKEND_UNAVAILABLE,
                "The batch was not stored: a part of Floodgate that has to take part did not answer within %s. Try again."
                        .formatted(PREPARED_WITHIN));
        settle(number, batch);
    }

    @Override
    public boolean quarantine(Quarantine.Subject subject) {
        if (!subject.kind().equals(Quarantine.BATCH)) return false;
        timers.cancelAll(Kind.BATCH, subject.name());
        return true;
    }

    @Override
    public void takeBack(Quarantine.Subject subject) {
        if (subject.kind().equals(Quarantine.BATCH)) timers.set(Timer.batch(out.now(), subject.name()));
    }

    @Override
    public boolean clear(int most) {
        return states.clear(most) && reservations.clear(most) && decisions.clear(most) && unique.clear(most);
    }

    // ---- the sender of a batch

    /** @param number of this batch among those of this log, should it take more than one step */
    private void enqueue(EnqueueBatch batch, long number) {
        List<BatchMember> members;
        try {
            reader.rejectTooLarge(batch);
            members = reader.read(batch.jobs(), batch.madeIds(), 0);
        } catch (UnreadableJob unreadable) {
            out.reject(unreadable.rejection());
            return;
        }
        Map<PartitionId, Prepare> parts = reader.split(members, number);
        boolean here = parts.size() == 1 && parts.containsKey(out.log());
        if (UniqueBatches.areUnique(members)) unique.enqueue(batch, members, number, here);
        else if (here) storeHere(members, batch);
        else coordinate(members, parts, number, batch, false);
    }

    /** @param number of this part among all batches of this log */
    private void hold(HoldBatch part, long number) {
        try {
            List<BatchMember> members = reader.read(part.jobs(), part.madeIds(), part.first());
            if (UniqueBatches.areUnique(members)) unique.hold(part, members, number);
            else holdMembers(part, members, number);
        } catch (UnreadableJob unreadable) {
            out.reject(unreadable.rejection());
        }
    }

    private void holdMembers(HoldBatch part, List<BatchMember> members, long number) {
        Map<PartitionId, Prepare> prepares = reader.split(members, number);
        prepares.replaceAll((log, prepare) -> prepare.in(part.room()));
        coordinate(members, prepares, number, null, true);
    }

    /**
     * @param number of this reservation among all batches of this partition: it is asked for, waits and is held as if
     *     it were a batch
     */
    private void holdRoom(HoldRoom room, long number) {
        for (QueueDemand demand : room.demands()) {
            if (EnvelopeReader.isQueueName(demand.queue())) continue;
            out.reject(Rejection.of(
                    ErrorCode.INVALID_QUEUE, "No queue can be named '%s'.".formatted(Limits.echo(demand.queue()))));
            return;
        }
        coordinate(List.of(), reader.split(room, number), number, room, true);
    }

    BatchReader reader() {
        return reader;
    }

    /** Returns the rejection if one of these ids is taken already. */
    @Nullable
    Rejection rejectTaken(List<BatchMember> members) {
        for (BatchMember member : members) {
            Rejection taken =
                    member.claims() ? directory.rejectTaken(member.id()) : directory.rejectSentTwice(member.id());
            if (taken != null) return taken;
        }
        return null;
    }

    private void storeHere(List<BatchMember> members, EnqueueBatch batch) {
        Rejection taken = rejectTaken(members);
        if (taken != null) {
            // mutant: local-batch-refused
            out.reject(taken);
            return;
        }
        Bounds.Room room = queues.bounds().makeRoom(BatchMember.envelopesOf(members), batch);
        if (room.rejection() != null) out.reject(room.rejection());
        if (queues.bounds().park(room, batch) || !room.isThere()) return;
        JsonOut tails = new JsonOut(members.size() * 256);
        for (BatchMember member : members)
            tails.raw(queues.admit(member.envelope(), member.id(), false)).newLine();
        for (byte[] load : queues.bounds().loads(BatchMember.queuesOf(members)))
            tails.raw(load).newLine();
        out.reply(tails);
    }

    // ---- the coordinator

    /**
     * @param whole what can wait; null for a part of a batch
     * @param held until its sender says what becomes of it
     */
    private void coordinate(
            List<BatchMember> members,
            Map<PartitionId, Prepare> parts,
            long number,
            @Nullable Patient whole,
            boolean held) {
        for (Prepare prepare : parts.values()) {
            long bytes = prepare.bytes();
            if (bytes > PART_BYTES) {
                out.reject(Reservations.tooLarge("A part", bytes, PART_BYTES));
                return;
            }
        }
        List<Part> parties = reader.participants(members, parts.keySet());
        Patience patience = whole == null ? null : patienceOf(whole, number);
        // Always in the same order: of two batches that want the same, one is ahead everywhere.
        if (patience != null) parties.sort(Comparator.comparing(part -> part.log));
        // mutant: batch-times-out
        BatchState batch =
                new BatchState(out.takeReplyTo(), parties, held, out.now().plus(PREPARED_WITHIN));
        batch.patience = patience;
        states.add(number, batch);
        for (Part part : parties) participants.ask(number, batch, part, parts);
    }

    private @Nullable Patience patienceOf(Patient batch, long number) {
        boolean waits = !batch.maxWait().isZero() && patient.keep(number, batch, out.replyTo(), out.by());
        return waits ? new Patience(out.now(), out.now().plus(batch.maxWait())) : null;
    }

    private void prepared(Prepared message) {
        BatchState batch = states.find(message.batch());
        if (batch == null) return; // given up: each participant that has reserved something gets the outcome, or asks
        Rejection rejection = message.rejection();
        // That it can never fit is what its sender has to know, whatever else is wrong with it now.
        boolean never = rejection != null && rejection.code() == ErrorCode.BATCH_EXCEEDS_BOUND;
        if (never) batch.rejection = rejection;
        batch.answer(message);
        if (batch.tailBytes() > PART_BYTES && batch.rejection == null)
            batch.rejection = Reservations.tooLarge("The answer", batch.tailBytes(), PART_BYTES);
        if (!batch.isComplete()) waiting.goOn(message.batch(), batch);
        else if (batch.rejection == null && batch.lacksRoom() != null) waiting.giveBack(message.batch(), batch);
        else if (batch.held && batch.rejection == null) held.hold(message.batch(), batch);
        else if (batch.rejection == null && unique.cancelsFirst(message.batch())) states.save(message.batch(), batch);
        else settle(message.batch(), batch);
    }

    void drop(long number) {
        waiting.drop(number);
    }

    private void settle(long number, BatchState batch) {
        states.forget(number, batch);
        // mutant: batch-refused
        boolean commit = batch.rejection == null;
        if (commit) decisions.stored(number);
        for (Part part : batch.parts) participants.settle(number, part.log, commit);
        if (batch.replyTo != null) out.replyTo(batch.replyTo, outcome(number, batch));
        else if (batch.rejection != null && !batch.isHeld()) out.reject(batch.rejection);
        unique.end(number, commit);
    }

    boolean has(long number) {
        return states.has(number);
    }

    /** Decides that the batch is stored: that is the answer to participants that ask later. */
    void decide(long number) {
        decisions.stored(number);
    }

    /** A batch of unique jobs, whose keys are claimed. */
    void coordinate(List<BatchMember> members, long number, Command command) {
        if (command instanceof HoldBatch part) holdMembers(part, members, number);
        else coordinate(members, reader.split(members, number), number, (EnqueueBatch) command, false);
    }

    /** Goes on with the participants that have to prepare the batch, since its keys are claimed again. */
    void askNext(long number) {
        waiting.askNext(number, states.get(number));
    }

    void settle(long number) {
        settle(number, states.get(number));
    }

    /** A key of it cannot be had. */
    void reject(long number, Rejection why) {
        BatchState batch = states.get(number);
        batch.rejection = why;
        if (batch.patience != null) waiting.leaveLine(number, batch.patience, null);
        settle(number, batch);
    }

    private Reply outcome(long number, BatchState batch) {
        if (batch.rejection != null) return new Reply.Rejected(batch.rejection.shortened());
        JsonOut tails = new JsonOut(1024);
        for (byte[] tail : unique.tails(number, batch.tails())) tails.raw(tail).newLine();
        return new Reply.Done(tails.toBytes());
    }

    /** A participant has got no message for long: it is sent again, unless the batch is still under way. */
    private void unsettled(Unsettled message) {
        if (states.has(message.batch()) || unique.has(message.batch())) return;
        participants.settle(message.batch(), message.participant(), decisions.isStored(message.batch()));
    }

    // ---- participants

    private void prepare(Prepare message) {
        reservations.prepare(message);
    }

    private void settle(Settle message) {
        reservations.settle(message);
        keys.settle(message);
    }
}
