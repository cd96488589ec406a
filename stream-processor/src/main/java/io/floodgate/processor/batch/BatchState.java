package io.floodgate.processor.batch;

import io.floodgate.processor.store.StoredForm;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.command.Message.Prepared;
import io.floodgate.topics.command.Message.Turn;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.ReplyTo;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The coordinator's view of one batch: who takes part, who has answered, and what. */
final class BatchState {
    static final StoredForm<BatchState> STORED = new StoredForm<>(BatchState.class, 1, "a batch");

    /** A participant and the positions of its jobs in the batch; {@code tails} once it has prepared them. */
    static final class Part {
        final PartitionId log;
        final List<Integer> positions;
        boolean answered;
        List<byte[]> tails = List.of();

        /** True if this participant has no capacity in this round. */
        boolean lacksRoom;

        /** Position of a patient batch in the wait queue of this partition; 0 before it ever waited there. */
        long place;

        Part(PartitionId log, List<Integer> positions) {
            this.log = log;
            this.positions = positions;
        }
    }

    /** The wait of a batch for capacity. */
    static final class Patience {
        final Instant since;
        final Instant end;

        /** True once all were asked together in vain: from then on participants are asked one after the other. */
        boolean oneByOne;

        /** True while the batch waits until the partition of {@link #line} reports capacity. */
        boolean standing;

        /** The partition in whose wait queue the batch is, or was when it was asked to come. */
        @Nullable
        PartitionId line;

        Patience(Instant since, Instant end) {
            this.since = since;
            this.end = end;
        }

        Turn turn(Part part, Instant now) {
            Duration left = Duration.between(now, end);
            return new Turn(
                    oneByOne, part.place, left.isNegative() ? Duration.ZERO : left, Duration.between(since, now));
        }
    }

    /** The caller that waits for the outcome; null once it is answered. */
    @Nullable
    ReplyTo replyTo;

    final List<Part> parts;

    /** A part of a larger batch: once all have prepared, it stays as it is until its sender says what becomes of it. */
    final boolean held;

    /** Time until which participants have to answer; one without an answer has rejected. */
    Instant until;

    /** Null for one that does not wait. */
    @Nullable
    Patience patience;

    @Nullable
    Rejection rejection;

    BatchState(@Nullable ReplyTo replyTo, List<Part> parts, boolean held, Instant until) {
        this.replyTo = replyTo;
        this.parts = parts;
        this.held = held;
        this.until = until;
    }

    void answer(Prepared answer) {
        for (Part part : parts) {
            if (!part.log.equals(answer.participant())) continue;
            part.answered = true;
            part.tails = answer.tails();
            Long place = answer.place();
            part.lacksRoom = place != null;
            if (place != null && place != 0) part.place = place;
        }
        if (answer.rejection() != null && rejection == null) rejection = answer.rejection();
    }

    /** Returns whether no answer is awaited: all participants have answered, or no other has to be asked. */
    boolean isComplete() {
        boolean enough = patience != null && patience.oneByOne && (rejection != null || lacksRoom() != null);
        return enough || next() == null;
    }

    /** The first that has not answered. */
    @Nullable
    Part next() {
        for (Part part : parts) if (!part.answered) return part;
        return null;
    }

    /** Returns the first participant without capacity. */
    @Nullable
    Part lacksRoom() {
        for (Part part : parts) if (part.lacksRoom) return part;
        return null;
    }

    /** Whatever was answered is given up. */
    void askAgain() {
        for (Part part : parts) {
            part.answered = false;
            part.lacksRoom = false;
            part.tails = List.of();
        }
    }

    /** Returns whether all participants have prepared, and the sender has its answer. */
    boolean isHeld() {
        return held && isComplete();
    }

    void beHeld(Instant end) {
        replyTo = null;
        patience = null;
        parts.forEach(part -> part.tails = List.of());
        until = end;
    }

    long tailBytes() {
        long bytes = 0;
        for (Part part : parts) for (byte[] tail : part.tails) bytes += tail.length + 1;
        return bytes;
    }

    /** The tails in the order of the batch, then what participants have said of their queues. */
    List<byte[]> tails() {
        int size = parts.stream().mapToInt(part -> part.positions.size()).sum();
        List<byte[]> tails = new ArrayList<>(Collections.nCopies(size, new byte[0]));
        for (Part part : parts) {
            int own = part.positions.size();
            for (int i = 0; i < own; i++) tails.set(part.positions.get(i), part.tails.get(i));
            tails.addAll(part.tails.subList(Math.min(own, part.tails.size()), part.tails.size()));
        }
        return tails;
    }
}
