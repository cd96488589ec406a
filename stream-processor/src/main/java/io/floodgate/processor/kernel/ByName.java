package io.floodgate.processor.kernel;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Things by their names, in memory: in order for iteration, and by a hash for look-ups among many thousands, whose
 * names begin alike. The order of the hash table never shows.
 */
public final class ByName<T> {
    private final NavigableMap<String, T> inOrder = new TreeMap<>();
    private final Map<String, T> found = new HashMap<>();
    /** The same name is mostly looked for again in the same step, and among thousands that takes its time. */
    private @Nullable String lastName;

    private @Nullable T last;

    public @Nullable T find(String name) {
        if (name.equals(lastName)) return last;
        lastName = name;
        last = found.get(name);
        return last;
    }

    private void forgetLast() {
        lastName = null;
        last = null;
    }

    public void put(String name, T thing) {
        forgetLast();
        found.put(name, thing);
        inOrder.put(name, thing);
    }

    public void remove(String name) {
        forgetLast();
        if (found.remove(name) != null) inOrder.remove(name);
    }

    public void clear() {
        forgetLast();
        found.clear();
        inOrder.clear();
    }

    public int size() {
        return found.size();
    }

    public Collection<T> all() {
        return inOrder.values();
    }

    /** Returns at most {@code most} after this name, or, if it is null, the first ones. */
    public List<T> after(@Nullable String name, int most) {
        List<T> some = new ArrayList<>();
        for (T thing : (name == null ? inOrder : inOrder.tailMap(name, false)).values()) {
            if (some.size() == most) break;
            some.add(thing);
        }
        return some;
    }
}
