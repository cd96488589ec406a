package io.floodgate.processor.unique;

import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The claims that wait for a key. */
final class StoredLine {
    private static final int VERSION = 1;

    /** @param number of the claim among all of its home */
    record Place(long number, String name) {}

    private StoredLine() {}

    static byte[] write(List<Place> line) {
        BinaryOut out = new BinaryOut().u8(VERSION).number(line.size());
        line.stream()
                .sorted(Comparator.comparingLong(Place::number))
                .forEach(place -> out.number(place.number).text(place.name));
        return out.toBytes();
    }

    static List<Place> read(byte @Nullable [] stored) {
        List<Place> line = new ArrayList<>();
        if (stored == null) return line;
        BinaryIn in = new BinaryIn(stored);
        in.version(VERSION, () -> "the line of a key");
        for (int i = in.integer(); i > 0; i--) line.add(new Place(in.number(), in.text()));
        return line;
    }
}
