package io.floodgate.gateway.capacity;

import java.util.Locale;

/** What there is not enough of. */
enum Dimension {
    NONE,
    DEPTH,
    SIZE;

    boolean is(String wire) {
        return wire.equals(name().toLowerCase(Locale.ROOT));
    }
}
