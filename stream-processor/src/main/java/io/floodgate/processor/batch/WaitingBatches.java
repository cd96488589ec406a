package io.floodgate.processor.batch;

import io.floodgate.processor.batch.BatchState.Part;
import io.floodgate.processor.batch.BatchState.Patience;
import io.floodgate.processor.kernel.Effects;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.command.Message.HasRoom;
import io.floodgate.topics.command.PartitionCommand.Withdraw;
import org.jspecify.annotations.Nullable;

/** Batches that can wait for capacity in several partitions, see {@link Batches}. */
record WaitingBatches(
        BatchStates states,
        BatchReader reader,
        PatientBatches patient,
        UniqueBatches unique,
        Decisions decisions,
        Participants participants,
        Effects out) {
    /** Goes on with a batch of which not all participants have answered. */
    void goOn(long number, BatchState batch) {
        if (batch.patience != null && batch.patience.oneByOne) askNext(number, batch);
        else states.save(number, batch);
    }

    /**
     * Releases what participants have reserved, since another one has no capacity: nothing is held while the batch
     * waits. From now on participants are asked one after the other. Of two batches that want the same, the one that is
     * ahead in the first partition is ahead in all. So they cannot block each other.
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

    /** Leaves the wait queue in which the batch was when it was asked to come. */
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
        PatientBatches.Stored stored = patient.stored(number);
        out.setBy(stored.by());
        participants.ask(number, batch, next, reader.split(stored.command(), number));
    }

    /**
     * Asks all participants again, from the first, since the partition in whose wait queue the batch is has capacity.
     */
    void hasRoom(HasRoom message) {
        long number = message.batch();
        BatchState batch = states.find(number);
        if (batch == null) {
            participants.settle(number, message.participant(), decisions.isStored(number));
            return;
        }
        Patience patience = batch.patience;
        // Otherwise the batch has left that wait queue, and the partition learns of it.
        if (patience == null || !patience.standing || !message.participant().equals(patience.line)) return;
        patience.standing = false;
        askNext(number, batch);
    }

    /** Asks a last time, since the time of the batch is up: a participant without capacity now rejects it. */
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

    /** Ends a batch whose sender does not wait any more, and gets no answer. */
    private void withdraw(long number) {
        if (!states.has(number) || unique.isDecided(number)) return;
        drop(number);
        unique.end(number, false);
    }

    /** Drops the batch: what its participants have reserved becomes free. */
    void drop(long number) {
        BatchState batch = states.find(number);
        if (batch == null) return;
        states.forget(number, batch);
        for (Part part : batch.parts) participants.settle(number, part.log, false);
    }
}
