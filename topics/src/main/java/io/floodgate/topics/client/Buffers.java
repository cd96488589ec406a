package io.floodgate.topics.client;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.DoubleSupplier;

/**
 * The bounded buffers of a process, and how full they are: {@code docs/reference/buffers.md} says of each what happens
 * when it is full.
 */
public final class Buffers {
    private final Map<String, DoubleSupplier> byName = new ConcurrentHashMap<>();

    /** @param saturation how much of it is taken, from 0 to 1 */
    public void add(String name, DoubleSupplier saturation) {
        byName.put(name, saturation);
    }

    /** Adds a buffer, with how full it is as a part of its bound. */
    public void add(String name, DoubleSupplier taken, double most) {
        add(name, () -> taken.getAsDouble() / most);
    }

    public SortedMap<String, Double> saturations() {
        SortedMap<String, Double> all = new TreeMap<>();
        byName.forEach((name, saturation) -> all.put(name, saturation.getAsDouble()));
        return all;
    }
}
