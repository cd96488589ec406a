package io.floodgate.processor.kernel;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The largest of some counts. */
public final class Largest {
    private Largest() {}

    /** Returns the {@code most} largest; of equal ones, those whose names come first. */
    public static SortedMap<String, Long> of(Map<String, Long> counts, int most) {
        SortedMap<String, Long> largest = new TreeMap<>();
        counts.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed().thenComparing(Map.Entry.comparingByKey()))
                .limit(most)
                .forEach(count -> largest.put(count.getKey(), count.getValue()));
        return largest;
    }
}
