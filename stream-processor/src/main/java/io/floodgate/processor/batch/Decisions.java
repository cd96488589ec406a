package io.floodgate.processor.batch;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Work;
import io.floodgate.processor.store.BatchKeys;
import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import io.floodgate.processor.store.KeyValues;
import io.floodgate.processor.store.Keys;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The batches of this partition that were stored. A participant whose settlement was lost asks within minutes; after a
 * day none will. Nothing is kept of a batch that was not stored.
 */
final class Decisions implements Work.Slices {
    private static final int VERSION = 1;
    private static final String WORK = "forget-decisions";
    static final Duration KEPT = Duration.ofDays(1);
    private static final int SLICE = 500;

    private final KeyValues entities;
    private final Work work;
    private final Effects out;

    Decisions(KeyValues entities, Work work, Effects out) {
        this.entities = entities;
        this.work = work;
        this.out = out;
        work.register(WORK, this);
    }

    void stored(long batch) {
        entities.put(
                BatchKeys.decided(batch),
                new BinaryOut().u8(VERSION).time(out.now()).toBytes());
        if (!work.has(WORK, "")) work.begin(WORK, "", null, out.now().plus(KEPT));
    }

    boolean isStored(long batch) {
        return entities.get(BatchKeys.decided(batch)) != null;
    }

    /** Numbers follow time: those that may be forgotten are the first ones, behind those that have been. */
    @Override
    public byte @Nullable [] next(Work.Piece piece) {
        byte[] from = piece.cursor().length == 0 ? BatchKeys.allDecided() : piece.cursor();
        List<byte[]> old = new ArrayList<>();
        List<Instant> later = new ArrayList<>();
        entities.scan(from, Keys.after(BatchKeys.allDecided()), (key, value) -> {
            BinaryIn in = new BinaryIn(value);
            in.version(VERSION, () -> "the decision about a batch");
            Instant until = in.time().plus(KEPT);
            boolean ripe = !until.isAfter(out.now()) && old.size() < SLICE;
            if (ripe) old.add(key);
            else later.add(until);
            return ripe;
        });
        old.forEach(entities::delete);
        if (later.isEmpty()) return null;
        byte[] cursor = old.isEmpty() ? from : Work.after(old.getLast());
        if (old.size() == SLICE) return cursor;
        work.begin(WORK, "", null, later.getFirst(), cursor);
        return null;
    }

    boolean clear(int most) {
        if (!entities.deleteSome(BatchKeys.allDecided(), most)) return false;
        work.end(WORK);
        return true;
    }
}
