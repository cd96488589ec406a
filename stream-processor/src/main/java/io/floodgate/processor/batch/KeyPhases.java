package io.floodgate.processor.batch;

import io.floodgate.processor.kernel.PartitionContext;
import io.floodgate.processor.kernel.Timers;
import io.floodgate.processor.kernel.Timers.Timer;
import io.floodgate.processor.kernel.Undo;
import io.floodgate.processor.store.KeyValues;
import io.floodgate.processor.store.Keys;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The keys of batches that this partition coordinates, by the numbers of the batches, with the times until which
 * answers are awaited.
 */
final class KeyPhases {
    private static final int MOST_RECENT = 1_000;
    private static final int MOST_RECENT_BYTES = 4_096;

    private final KeyValues entities;
    private final Timers timers;
    private final Undo undo;

    /** Some phases of single jobs in their stored form, so that they need not be read back when the answer comes. */
    private final Map<Long, KeyPhase> recent = new LinkedHashMap<>();

    /** Number of phases. It is kept, since a scan passes over all that has been deleted since the last compaction. */
    private int count;

    KeyPhases(PartitionContext context) {
        entities = context.entities();
        timers = context.timers();
        undo = context.undo();
    }

    /** Returns the number of phases. */
    int count() {
        return count;
    }

    private void count(int by) {
        count += by;
        undo.by(() -> count -= by);
    }

    /** A new one, which waits for its keys. */
    void add(long number, KeyPhase phase) {
        count(1);
        byte[] stored = KeyPhase.STORED.write(phase);
        entities.putNew(Keys.keyPhase(number), stored);
        if (stored.length <= MOST_RECENT_BYTES && recent.size() < MOST_RECENT) recent.put(number, phase);
        timers.set(timer(number, phase));
    }

    @Nullable
    KeyPhase find(long number) {
        KeyPhase known = recent.get(number);
        if (known != null) return known;
        byte[] stored = entities.get(Keys.keyPhase(number));
        return stored == null ? null : KeyPhase.STORED.read(stored);
    }

    boolean has(long number) {
        return entities.get(Keys.keyPhase(number)) != null;
    }

    void save(long number, KeyPhase phase) {
        entities.put(Keys.keyPhase(number), KeyPhase.STORED.write(phase));
    }

    void waitNoMore(long number, KeyPhase phase) {
        timers.cancel(timer(number, phase));
    }

    void delete(long number, KeyPhase phase) {
        count(-1);
        recent.remove(number);
        entities.delete(Keys.keyPhase(number));
        waitNoMore(number, phase);
    }

    private static Timer timer(long number, KeyPhase phase) {
        return Timer.batch(phase.until, Long.toString(number));
    }

    /** A step has changed some, and never was. */
    void forgetRecent() {
        recent.clear();
    }

    void load() {
        count = 0;
        recent.clear();
        entities.scan(Keys.allKeyPhases(), Keys.after(Keys.allKeyPhases()), (key, value) -> {
            count++;
            KeyPhase phase = KeyPhase.STORED.read(value);
            if (!phase.begun) timers.set(timer(Keys.numberAtEnd(key), phase));
            return true;
        });
    }

    /** Returns whether none is left. */
    boolean deleteSome(int most) {
        List<byte[]> some = new ArrayList<>();
        entities.scan(Keys.allKeyPhases(), Keys.after(Keys.allKeyPhases()), (key, value) -> {
            some.add(key);
            return some.size() < most;
        });
        for (byte[] key : some) {
            count(-1);
            recent.remove(Keys.numberAtEnd(key));
            entities.delete(key);
            timers.cancelAll(Timers.Kind.BATCH, Long.toString(Keys.numberAtEnd(key)));
        }
        return some.size() < most;
    }
}
