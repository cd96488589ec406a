package io.floodgate.processor.batch;

import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.command.Message.Prepared;
import io.floodgate.topics.command.Message.Turn;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.command.ReplyTo;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The coordinator's view of one batch: who takes part, who has answered, and what. */
final class BatchState {
    private static final int VERSION = 1;

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

    final List<Part> parts;

    /** Null for one that does not wait. */
    @Nullable
    Patience patience;

    /** A part of a larger batch: once all have prepared, it stays as it is until its sender says what becomes of it. */
    final boolean held;

    /** The caller that waits for the outcome; null once it is answered. */
    @Nullable
    ReplyTo replyTo;

    @Nullable
    Rejection rejection;

    /** Time until which participants have to answer; one without an answer has rejected. */
    Instant until;

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

    byte[] write() {
        BinaryOut out = new BinaryOut().u8(VERSION).optional(replyTo == null ? null : replyTo.toString());
        out.flag(rejection != null);
        if (rejection != null) out.blob(Reply.write(rejection));
        out.number(parts.size());
        for (Part part : parts) {
            out.text(part.log.toString()).flag(part.answered).number(part.positions.size());
            part.positions.forEach(out::number);
            out.number(part.tails.size());
            part.tails.forEach(out::blob);
        }
        out.time(until).flag(held).flag(patience != null);
        if (patience != null) write(patience, out);
        return out.toBytes();
    }

    private void write(Patience p, BinaryOut out) {
        out.time(p.since).time(p.end).flag(p.oneByOne).flag(p.standing);
        out.optional(p.line == null ? null : p.line.toString());
        for (Part part : parts) out.flag(part.lacksRoom).number(part.place);
    }

    static BatchState read(byte[] stored) {
        BinaryIn in = new BinaryIn(stored);
        in.version(VERSION, () -> "a batch");
        String replyTo = in.optionalText();
        Rejection rejection = in.flag() ? Reply.readRejection(in.blob()) : null;
        List<Part> parts = new ArrayList<>();
        int size = in.integer();
        for (int i = 0; i < size; i++) parts.add(readPart(in));
        Instant until = in.time();
        boolean held = in.flag();
        BatchState batch = new BatchState(replyTo == null ? null : ReplyTo.parse(replyTo), parts, held, until);
        batch.rejection = rejection;
        if (in.flag()) batch.patience = readPatience(in, parts);
        return batch;
    }

    private static Patience readPatience(BinaryIn in, List<Part> parts) {
        Patience patience = new Patience(in.time(), in.time());
        patience.oneByOne = in.flag();
        patience.standing = in.flag();
        String line = in.optionalText();
        patience.line = line == null ? null : PartitionId.parse(line);
        for (Part part : parts) {
            part.lacksRoom = in.flag();
            part.place = in.number();
        }
        return patience;
    }

    private static Part readPart(BinaryIn in) {
        PartitionId log = PartitionId.parse(in.text());
        boolean answered = in.flag();
        List<Integer> positions = new ArrayList<>();
        int jobs = in.integer();
        for (int i = 0; i < jobs; i++) positions.add(in.integer());
        Part part = new Part(log, positions);
        part.answered = answered;
        List<byte[]> tails = new ArrayList<>();
        int prepared = in.integer();
        for (int i = 0; i < prepared; i++) tails.add(in.blob());
        part.tails = tails;
        return part;
    }
}
