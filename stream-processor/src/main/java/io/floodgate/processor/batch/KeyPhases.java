package io.floodgate.processor.batch;

import io.floodgate.processor.kernel.PartitionContext;
import io.floodgate.processor.kernel.Timers;
import io.floodgate.processor.kernel.Timers.Timer;
import io.floodgate.processor.kernel.Undo;
import io.floodgate.processor.store.KeyValues;
import io.floodgate.processor.store.Keys;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the coordinators of this partition know of keys, by the numbers of batches; with the times until when keys are waited for. */
final class KeyPhases {
    private final KeyValues entities;
    private final Timers timers;
    private final Undo undo;

    /** Kept, since a scan passes over all that has been deleted since the last compaction. */
    private int count;

    KeyPhases(PartitionContext context) {
        entities = context.entities();
        timers = context.timers();
        undo = context.undo();
    }

    /** How many there are. */
    int count() {
        return count;
    }

    private void count(int by) {
        count += by;
        undo.by(() -> count -= by);
    }

    /** There is a new one, which waits for its keys. */
    void add(long number, KeyPhase phase) {
        count(1);
        timers.set(timer(number, phase));
    }

    @Nullable
    KeyPhase find(long number) {
        byte[] stored = entities.get(Keys.keyPhase(number));
        return stored == null ? null : KeyPhase.read(stored);
    }

    boolean has(long number) {
        return entities.get(Keys.keyPhase(number)) != null;
    }

    void save(long number, KeyPhase phase) {
        entities.put(Keys.keyPhase(number), phase.write());
    }

    void waitNoMore(long number, KeyPhase phase) {
        timers.cancel(timer(number, phase));
    }

    void delete(long number, KeyPhase phase) {
        count(-1);
        entities.delete(Keys.keyPhase(number));
        waitNoMore(number, phase);
    }

    private static Timer timer(long number, KeyPhase phase) {
        return Timer.batch(phase.until, Long.toString(number));
    }

    void load() {
        count = 0;
        entities.scan(Keys.allKeyPhases(), Keys.after(Keys.allKeyPhases()), (key, value) -> {
            count++;
            KeyPhase phase = KeyPhase.read(value);
            if (!phase.begun) timers.set(timer(Keys.numberAtEnd(key), phase));
            return true;
        });
    }

    /** Whether none is left. */
    boolean deleteSome(int most) {
        List<byte[]> some = new ArrayList<>();
        entities.scan(Keys.allKeyPhases(), Keys.after(Keys.allKeyPhases()), (key, value) -> {
            some.add(key);
            return some.size() < most;
        });
        for (byte[] key : some) {
            count(-1);
            entities.delete(key);
            timers.cancelAll(Timers.Kind.BATCH, Long.toString(Keys.numberAtEnd(key)));
        }
        return some.size() < most;
    }
}
