package io.floodgate.processor.queue.state;

import io.floodgate.processor.kernel.ByName;
import io.floodgate.processor.kernel.Entity;
import io.floodgate.processor.kernel.Undo;
import io.floodgate.processor.store.KeyValues;
import io.floodgate.processor.store.Keys;
import io.floodgate.topics.Routing;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The desks of a log, all of them in memory; what a step changes is written at its end. */
public final class DeskTable implements Entity {
    private final KeyValues entities;
    private final Routing routing;
    private final Undo undo;
    private final ByName<Desk> byKey = new ByName<>();
    private final Set<Desk> changed = new LinkedHashSet<>();
    /** Those that have permits, or want some. */
    private final TreeMap<String, Desk> busy = new TreeMap<>();
    /** Desks whose jobs have come, gone, started or ended in this step. */
    private final Set<Desk> touched = new LinkedHashSet<>();

    private long names;
    private long putOff;

    public DeskTable(KeyValues entities, Routing routing, Undo undo) {
        this.routing = routing;
        this.entities = entities;
        this.undo = undo;
    }

    @Override
    public void load() {
        byKey.clear();
        busy.clear();
        names = 0;
        putOff = 0;
        forgetStep();
        byte[] prefix = Keys.allDesks();
        entities.scan(prefix, Keys.after(prefix), (key, value) -> {
            Desk desk = make(Keys.nameAtEnd(key), 0);
            desk.restore(value);
            put(desk);
            place(desk);
            return true;
        });
    }

    private Desk make(String key, long epoch) {
        return new Desk(key, routing.ofLimit(key), epoch);
    }

    private void put(Desk desk) {
        desk.open = true;
        byKey.put(desk.key, desk);
        names += desk.key.length();
    }

    private void take(Desk desk) {
        desk.open = false;
        byKey.remove(desk.key);
        busy.remove(desk.key);
        names -= desk.key.length();
    }

    /** When the newest job of the key has said what it says of it; 0 if none has. */
    public long definedAt(String key) {
        Desk desk = find(key);
        return desk == null ? 0 : desk.definedAt;
    }

    @Nullable
    public Desk find(String key) {
        return byKey.find(key);
    }

    public Desk open(String key, long epoch) {
        Desk desk = make(key, epoch);
        put(desk);
        undo.by(() -> take(desk));
        changed.add(desk);
        return desk;
    }

    public void close(Desk desk) {
        take(desk);
        changed.remove(desk);
        touched.remove(desk);
        undo.by(() -> {
            put(desk);
            changed.add(desk);
        });
        entities.delete(Keys.desk(desk.key));
    }

    /** A job is put where it stands. */
    @Nullable
    public Desk enter(Standing job) {
        return count(job, 1);
    }

    /** A job is taken from where it stands. */
    @Nullable
    public Desk leave(Standing job) {
        return count(job, -1);
    }

    private @Nullable Desk count(Standing job, int by) {
        Standing.Limited limited = job.limited();
        if (limited == null) return null;
        Desk desk = byKey.find(limited.key());
        if (desk == null) throw new IllegalStateException("there is no desk for key %s".formatted(limited.key()));
        desk.jobs += by;
        if (limited.active()) desk.active += by;
        if (limited.putOff() && (by > 0 ? desk.putOff.add(job.id()) : desk.putOff.remove(job.id()))) putOff += by;
        touched.add(desk);
        return desk;
    }

    public void changed(Desk desk) {
        changed.add(desk);
    }

    public void touched(Desk desk) {
        touched.add(desk);
    }

    /** Those that have permits, or want some: so many of them. */
    public List<Desk> busy(int most) {
        return busy.values().stream().limit(most).toList();
    }

    public List<Desk> takeTouched() {
        List<Desk> taken = new ArrayList<>(touched);
        touched.clear();
        return taken;
    }

    public Collection<Desk> all() {
        return byKey.all();
    }

    /** So many keys after this one. */
    public List<Desk> after(@Nullable String key, int most) {
        return byKey.after(key, most);
    }

    public long bytes() {
        return byKey.size() * Memory.DESK + names + putOff * Memory.PUT_OFF;
    }

    @Override
    public void save() {
        for (Desk desk : changed) desk.stored.write(Keys.desk(desk.key), desk.write(), entities, undo);
        forgetStep();
    }

    /** What the step has changed is again as it is stored, and its lanes stand accordingly. */
    @Override
    public void rollBack() {
        for (Desk desk : changed) {
            byte[] stored = entities.get(Keys.desk(desk.key));
            if (stored == null) continue;
            desk.restore(stored);
            place(desk);
        }
        forgetStep();
    }

    /** Its lanes stand as it says now. */
    public void place(Desk desk) {
        if (desk.wanted > 0 || desk.hasPermits()) busy.put(desk.key, desk);
        else busy.remove(desk.key);
        for (Lane lane : desk.lanes()) {
            Desk.Standing standing = desk.standingIn(lane.name.queue());
            if (lane.standing != standing) lane.queue.place(lane, standing);
        }
    }

    private void forgetStep() {
        changed.clear();
        touched.clear();
    }
}
