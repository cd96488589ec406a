package io.floodgate.processor.limit;

import io.floodgate.processor.kernel.ByName;
import io.floodgate.processor.kernel.Timers;
import io.floodgate.processor.kernel.Timers.Timer;
import io.floodgate.processor.kernel.Undo;
import io.floodgate.processor.store.KeyValues;
import io.floodgate.processor.store.Keys;
import io.floodgate.processor.store.LimitKeys;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The limits whose keys lead to this partition, all of them in memory; what a step changes is written at its end. */
final class LimitStore {
    private final KeyValues entities;
    private final Timers timers;
    private final Undo undo;
    private final ByName<Limit> byKey = new ByName<>();
    private final Set<Limit> changed = new LinkedHashSet<>();
    private final LimitMemory memory;

    LimitStore(KeyValues entities, Timers timers, LimitMemory memory, Undo undo) {
        this.memory = memory;
        this.entities = entities;
        this.timers = timers;
        this.undo = undo;
    }

    void load() {
        byKey.clear();
        changed.clear();
        memory.clear();
        byte[] prefix = LimitKeys.allLimits();
        entities.scan(prefix, Keys.after(prefix), (key, value) -> {
            Limit limit = new Limit(Keys.nameAtEnd(key));
            // mutant: stored-limit
            limit.restore(value);
            byKey.put(limit.key, limit);
            memory.count(limit);
            Instant at = limit.timer();
            if (at != null) timers.set(Timer.limit(at, limit.key));
            return true;
        });
    }

    @Nullable
    Limit find(String key) {
        return byKey.find(key);
    }

    Limit use(String key) {
        Limit known = byKey.find(key);
        if (known != null) return known;
        Limit made = new Limit(key);
        byKey.put(key, made);
        memory.count(made);
        undo.by(() -> {
            byKey.remove(key);
            memory.leave(made);
        });
        return made;
    }

    void changed(Limit limit) {
        changed.add(limit);
    }

    /** Sets when the limit is looked at next; null for never. */
    void wake(Limit limit, @Nullable Instant at) {
        Instant before = limit.timer();
        if (Objects.equals(before, at)) return;
        if (before != null) timers.cancel(Timer.limit(before, limit.key));
        if (at != null) timers.set(Timer.limit(at, limit.key));
        limit.timer(at);
        changed(limit);
    }

    void remove(Limit limit) {
        wake(limit, null);
        changed.remove(limit);
        byKey.remove(limit.key);
        memory.leave(limit);
        undo.by(() -> {
            byKey.put(limit.key, limit);
            memory.count(limit);
            changed.add(limit);
        });
        entities.delete(LimitKeys.limit(limit.key));
    }

    /** Returns the keys after this one, at most this number. */
    List<Limit> after(@Nullable String key, int most) {
        return byKey.after(key, most);
    }

    int size() {
        return byKey.size();
    }

    void save() {
        for (Limit limit : changed) {
            limit.stored.write(LimitKeys.limit(limit.key), limit.write(), entities, undo);
            memory.count(limit);
        }
        changed.clear();
    }

    /** Restores the limits that the step has changed from the store. */
    void rollBack() {
        for (Limit limit : changed) {
            byte[] stored = entities.get(LimitKeys.limit(limit.key));
            if (stored == null) continue;
            limit.restore(stored);
            memory.count(limit);
        }
        changed.clear();
    }
}
