package io.floodgate.gateway.capacity;

import java.util.Locale;

/** The bound that is reached. */
enum Dimension {
    NONE,
    DEPTH,
    SIZE;

    boolean is(String wire) {
        return wire.equals(name().toLowerCase(Locale.ROOT));
    }
}
