package io.floodgate.processor.kernel;

import io.floodgate.processor.kernel.Timers.Timer;
import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import io.floodgate.processor.store.KeyValues;
import io.floodgate.processor.store.Keys;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The next time at which the partition tidies up. It is state, so that a replay tidies up at the same record; an idle
 * partition never does.
 */
public final class Housekeeping implements Entity {
    private static final int VERSION = 1;

    private final KeyValues entities;
    private final Timers timers;
    private final Undo undo;
    private final List<Runnable> tasks = new ArrayList<>();
    private @Nullable Instant at;

    public Housekeeping(KeyValues entities, Timers timers, Undo undo) {
        this.entities = entities;
        this.timers = timers;
        this.undo = undo;
    }

    @Override
    public void load() {
        byte[] stored = entities.get(Keys.housekeeping());
        at = stored == null ? null : read(new BinaryIn(stored));
        if (at != null) timers.set(Timer.housekeeping(at));
    }

    private static Instant read(BinaryIn in) {
        in.version(VERSION, () -> "the time of housekeeping");
        return in.time();
    }

    /** Asks for a visit at this time or before. */
    public void wantBy(Instant time) {
        if (at != null && !at.isAfter(time)) return;
        if (at != null) timers.cancel(Timer.housekeeping(at));
        set(time);
        timers.set(Timer.housekeeping(time));
        entities.put(Keys.housekeeping(), new BinaryOut().u8(VERSION).time(time).toBytes());
    }

    /** @param task is done at each visit; it says when it wants the next one */
    public void register(Runnable task) {
        tasks.add(task);
    }

    @Override
    public boolean fire(Timer timer) {
        if (timer.kind() != Timers.Kind.HOUSEKEEPING) return false;
        begin();
        tasks.forEach(Runnable::run);
        return true;
    }

    private void begin() {
        if (at != null) timers.cancel(Timer.housekeeping(at));
        set(null);
        entities.delete(Keys.housekeeping());
    }

    private void set(@Nullable Instant time) {
        Instant before = at;
        undo.by(() -> at = before);
        at = time;
    }

    @Override
    public boolean clear(int most) {
        if (at != null) begin();
        return true;
    }
}
