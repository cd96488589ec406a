package io.floodgate.processor.queue.transfer;

import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import java.util.SortedMap;
import java.util.TreeMap;

/** The stored form of numbers by name. */
final class StoredCounts {
    private StoredCounts() {}

    static BinaryOut write(SortedMap<String, Long> counts, BinaryOut out) {
        out.number(counts.size());
        counts.forEach((name, count) -> out.text(name).number(count));
        return out;
    }

    static SortedMap<String, Long> read(BinaryIn in) {
        SortedMap<String, Long> counts = new TreeMap<>();
        for (int left = in.integer(); left > 0; left--) counts.put(in.text(), in.number());
        return counts;
    }
}
