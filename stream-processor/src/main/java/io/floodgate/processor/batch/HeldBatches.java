package io.floodgate.processor.batch;

import static java.util.stream.Collectors.joining;

import io.floodgate.processor.batch.BatchState.Part;
import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.PartitionContext;
import io.floodgate.processor.kernel.Work;
import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Message.Settle;
import io.floodgate.topics.command.QueueCommand.EndHold;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.command.ReplyTo;
import io.floodgate.topics.json.JsonOut;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Parts of batches that all participants have prepared, and that are held until their sender says what becomes of all of them. */
final class HeldBatches {
    /** Name of the task that stores or drops a held batch, a part at a time. */
    private static final String STORE = "store-held";

    private static final String DROP = "drop-held";

    private final BatchStates states;
    private final UniqueBatches unique;
    private final Decisions decisions;
    private final Participants participants;
    private final Reservations reservations;
    private final Work work;
    private final Effects out;

    HeldBatches(
            BatchStates states,
            UniqueBatches unique,
            Decisions decisions,
            Participants participants,
            Reservations reservations,
            PartitionContext context) {
        this.states = states;
        this.unique = unique;
        this.decisions = decisions;
        this.participants = participants;
        this.reservations = reservations;
        work = context.work();
        out = context.out();
        work.register(STORE, piece -> endNext(piece, true));
        work.register(DROP, piece -> endNext(piece, false));
    }

    /** Holds a batch that all participants have prepared: from now on its sender has time to decide. */
    void hold(long number, BatchState batch) {
        ReplyTo sender = batch.replyTo;
        if (sender != null) {
            JsonOut lines =
                    JsonOut.object(1024).field("part", number).endObject().newLine();
            for (byte[] tail : unique.tails(number, batch.tails()))
                lines.raw(tail).newLine();
            out.replyTo(sender, new Reply.Done(lines.toBytes()));
        }
        states.hold(number, batch, out.now().plus(Batches.PREPARED_WITHIN));
    }

    void end(EndHold end) {
        Map<Long, BatchState> parts = new TreeMap<>();
        for (long number : end.parts()) {
            BatchState batch = states.find(number);
            if (batch != null && batch.isHeld()) parts.put(number, batch);
        }
        boolean store =
                end.store() && !parts.isEmpty() && parts.size() == end.parts().size();
        if (end.store() && !store)
            out.reject(Rejection.of(
                    ErrorCode.BACKEND_UNAVAILABLE,
                    "The batch was not stored: it did not come to an end within %s of its first part. Try again."
                            .formatted(Batches.PREPARED_WITHIN)));
        if (parts.isEmpty()) {
            if (!end.store()) out.reply(nothing());
            return;
        }
        parts.forEach((number, batch) -> decide(number, batch, store));
        String numbers = parts.keySet().stream().map(String::valueOf).collect(joining(","));
        boolean answered = end.store() && !store;
        ReplyTo waiting = out.takeReplyTo();
        work.begin(store ? STORE : DROP, numbers, answered ? null : waiting);
    }

    /** Other partitions do their share at once; what is here follows in slices. */
    private void decide(long number, BatchState batch, boolean store) {
        states.forget(number, batch);
        if (store) decisions.stored(number);
        for (Part part : batch.parts) if (!part.log.equals(out.log())) participants.settle(number, part.log, store);
        unique.end(number, store);
    }

    private byte @Nullable [] endNext(Work.Piece piece, boolean store) {
        String[] numbers = piece.subject().split(",", -1);
        int at = piece.cursor().length == 0 ? 0 : new BinaryIn(piece.cursor()).integer();
        reservations.settle(new Settle(Long.parseLong(numbers[at]), out.log(), store));
        if (at + 1 < numbers.length) return new BinaryOut().number(at + 1).toBytes();
        out.reply(nothing());
        return null;
    }

    private static JsonOut nothing() {
        return JsonOut.object().endObject();
    }
}
