package io.floodgate.processor.workflow;

import io.floodgate.processor.kernel.PartitionContext;
import io.floodgate.processor.kernel.Work;
import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import io.floodgate.topics.command.PartitionSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Workflows that have ended are kept for a while, and then forgotten, some steps at a time. */
final class Endings {
    private static final String FORGET = "forget-workflows";
    private static final int SLICE = 100;

    private final WorkflowStore store;
    private final PartitionContext context;

    Endings(WorkflowStore store, PartitionContext context) {
        this.store = store;
        this.context = context;
        context.work().register(FORGET, this::forgetSome);
    }

    private Instant forgottenAt(Head head) {
        Instant ended = head.endedAt == null ? context.now() : head.endedAt;
        Duration own = head.fixed.retention();
        if (own != null) return ended.plus(own);
        PartitionSettings settings = context.settings();
        Duration longest = Stream.of(settings.completed(), settings.discarded(), settings.cancelled())
                .max(Duration::compareTo)
                .orElseThrow();
        return ended.plus(longest);
    }

    /** Remembers when a workflow that has ended is to be forgotten. */
    void add(Head head) {
        Instant at = forgottenAt(head);
        head.forgottenAt = at;
        store.putEnd(at, head.id());
        Instant next = context.work().next(FORGET);
        if (next != null && !at.isBefore(next)) return;
        context.work().end(FORGET);
        context.work().begin(FORGET, "", null, at);
    }

    /** Removes a workflow that goes on after all. */
    void remove(Head head) {
        if (head.forgottenAt != null) store.deleteEnd(head.forgottenAt, head.id());
        head.forgottenAt = null;
    }

    private byte @Nullable [] forgetSome(Work.Piece piece) {
        // What is before has been deleted, and a scan would pass over all of it.
        Instant from = piece.cursor().length == 0 ? Instant.EPOCH : new BinaryIn(piece.cursor()).time();
        WorkflowStore.End first = store.firstEnd(from);
        if (first == null) return null;
        byte[] cursor = new BinaryOut().time(first.at()).toBytes();
        if (first.at().isAfter(context.now())) {
            context.work().begin(FORGET, "", null, first.at(), cursor);
            return null;
        }
        if (store.forget(first.id(), SLICE)) store.deleteEnd(first.at(), first.id());
        return cursor;
    }

    void clear() {
        context.work().end(FORGET);
    }
}
