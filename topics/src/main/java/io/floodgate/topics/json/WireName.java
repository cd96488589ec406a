package io.floodgate.topics.json;

import java.util.Locale;
import java.util.Optional;

/** A constant of an enum that JSON has under the constant's own name, in lower case. */
public interface WireName {
    String name();

    default String wire() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the constant that JSON has under this name. */
    static <E extends Enum<E> & WireName> Optional<E> parse(Class<E> type, String wire) {
        for (E each : type.getEnumConstants()) if (each.wire().equals(wire)) return Optional.of(each);
        return Optional.empty();
    }
}
