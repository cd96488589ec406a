package io.floodgate.processor.batch;

import io.floodgate.processor.batch.BatchState.Part;
import io.floodgate.processor.batch.BatchState.Patience;
import io.floodgate.processor.kernel.Effects;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.command.Message.HasRoom;
import io.floodgate.topics.command.PartitionCommand.Withdraw;
import org.jspecify.annotations.Nullable;

/** Batches that can wait for room in several partitions, see {@link Batches}. */
final class WaitingBatches {
    private final BatchStates states;
    private final BatchReader reader;
    private final PatientBatches patient;
    private final UniqueBatches unique;
    private final Decisions decisions;
    private final Participants participants;
    private final Effects out;

    WaitingBatches(
            BatchStates states,
            BatchReader reader,
            PatientBatches patient,
            UniqueBatches unique,
            Decisions decisions,
            Participants participants,
            Effects out) {
        this.states = states;
        this.reader = reader;
        this.patient = patient;
        this.unique = unique;
        this.decisions = decisions;
        this.participants = participants;
        this.out = out;
    }

    /** Not all participants have answered. */
    void goOn(long number, BatchState batch) {
        if (batch.patience != null && batch.patience.oneByOne) askNext(number, batch);
        else states.save(number, batch);
    }

    /**
     * One of those asked has no room: what others have reserved is given back at once, so that nothing is held while it waits.
     * From now on they are asked one after the other. Of two batches that want the same, the one that is ahead in the first
     * partition is ahead in all: they cannot keep each other from getting all of it.
     */
    void giveBack(long number, BatchState batch) {
        Patience patience = batch.patience;
        if (patience == null) throw new IllegalStateException("batch %d cannot wait".formatted(number));
        Part lacking = batch.lacksRoom();
        for (Part part : batch.parts)
            if (part.answered && !part.lacksRoom) participants.settle(number, part.log, false);
        unique.release(number);
        batch.askAgain();
        if (patience.oneByOne && lacking != null) {
            wait(number, batch, patience, lacking.log);
        } else {
            patience.oneByOne = true;
            askNext(number, batch);
        }
    }

    private void wait(long number, BatchState batch, Patience patience, PartitionId log) {
        leaveLine(number, patience, log);
        patience.line = log;
        patience.standing = true;
        states.setUntil(number, batch, patience.end);
    }

    /** It was asked to come, and stands elsewhere now. */
    void leaveLine(long number, Patience patience, @Nullable PartitionId unless) {
        if (patience.line != null && !patience.line.equals(unless)) participants.settle(number, patience.line, false);
        patience.line = null;
    }

    void askNext(long number, BatchState batch) {
        Part next = batch.next();
        if (next == null) throw new IllegalStateException("batch %d has asked all participants".formatted(number));
        states.setUntil(number, batch, out.now().plus(Batches.PREPARED_WITHIN));
        if (unique.claimsAgain(number)) return;
        // The message at hand comes from a participant, and not from the producer that asks.
        out.setBy(patient.by(number));
        participants.ask(number, batch, next, reader.split(patient.command(number), number));
    }

    /** There is room in the partition in whose line it stands: all participants are asked again, from the first. */
    void hasRoom(HasRoom message) {
        long number = message.batch();
        BatchState batch = states.find(number);
        if (batch == null) {
            participants.settle(number, message.participant(), decisions.isStored(number));
            return;
        }
        Patience patience = batch.patience;
        // Otherwise it has left that line, and that partition learns of it.
        if (patience == null || !patience.standing || !message.participant().equals(patience.line)) return;
        patience.standing = false;
        askNext(number, batch);
    }

    /** Its time is up: a participant that has no room now rejects it. */
    void askForTheLastTime(long number, BatchState batch, Patience patience) {
        leaveLine(number, patience, null);
        patience.standing = false;
        askNext(number, batch);
    }

    void withdraw(Withdraw command) {
        String requester = command.requester();
        if (command.correlations().isEmpty()) patient.of(requester).forEach(this::withdraw);
        for (long correlation : command.correlations()) {
            Long number = patient.find(requester, correlation);
            if (number != null) withdraw(number);
        }
    }

    /** Its sender does not wait any more, and gets no answer. */
    private void withdraw(long number) {
        if (!states.has(number) || unique.isDecided(number)) return;
        drop(number);
        unique.end(number, false);
    }

    /** It is not stored: what its participants have reserved becomes free. */
    void drop(long number) {
        BatchState batch = states.find(number);
        if (batch == null) return;
        states.forget(number, batch);
        for (Part part : batch.parts) participants.settle(number, part.log, false);
    }
}
