package io.floodgate.processor.batch;

import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import io.floodgate.topics.LogId;
import io.floodgate.topics.command.Refusal;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.command.ReplyTo;
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
        final LogId log;
        final List<Integer> positions;
        boolean answered;
        List<byte[]> tails = List.of();

        Part(LogId log, List<Integer> positions) {
            this.log = log;
            this.positions = positions;
        }
    }

    final List<Part> parts;

    /** A part of a larger batch: once all have prepared, it stays as it is until its sender says what becomes of it. */
    final boolean held;

    /** Who waits to hear what came of it; nobody any more, once that was said. */
    @Nullable
    ReplyTo replyTo;

    @Nullable
    Refusal refusal;

    /** Whoever has not answered by then has refused. Not set by the first rules. */
    @Nullable
    Instant until;

    BatchState(@Nullable ReplyTo replyTo, List<Part> parts, boolean held) {
        this.replyTo = replyTo;
        this.parts = parts;
        this.held = held;
    }

    void answer(LogId participant, List<byte[]> tails, @Nullable Refusal refused) {
        for (Part part : parts) {
            if (!part.log.equals(participant)) continue;
            part.answered = true;
            part.tails = tails;
        }
        if (refused != null && refusal == null) refusal = refused;
    }

    boolean isComplete() {
        return parts.stream().allMatch(part -> part.answered);
    }

    /** All have prepared, and its sender has been told. */
    boolean isHeld() {
        return held && isComplete();
    }

    void beHeld(Instant end) {
        replyTo = null;
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
        out.flag(refusal != null);
        if (refusal != null) out.blob(Reply.write(refusal));
        out.number(parts.size());
        for (Part part : parts) {
            out.text(part.log.toString()).flag(part.answered).number(part.positions.size());
            part.positions.forEach(out::number);
            out.number(part.tails.size());
            part.tails.forEach(out::blob);
        }
        out.optional(until);
        return held ? out.flag(true).toBytes() : out.toBytes();
    }

    static BatchState read(byte[] stored) {
        BinaryIn in = new BinaryIn(stored);
        in.version(VERSION, () -> "a batch");
        String replyTo = in.optionalText();
        Refusal refusal = in.flag() ? Reply.readRefusal(in.blob()) : null;
        List<Part> parts = new ArrayList<>();
        int size = in.integer();
        for (int i = 0; i < size; i++) parts.add(readPart(in));
        Instant until = in.hasMore() ? in.optionalTime() : null;
        boolean held = in.hasMore() && in.flag();
        BatchState batch = new BatchState(replyTo == null ? null : ReplyTo.parse(replyTo), parts, held);
        batch.refusal = refusal;
        batch.until = until;
        return batch;
    }

    private static Part readPart(BinaryIn in) {
        LogId log = LogId.parse(in.text());
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
