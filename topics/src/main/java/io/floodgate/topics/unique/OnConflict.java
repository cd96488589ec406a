package io.floodgate.topics.unique;

import java.util.Locale;
import java.util.Optional;

/** What becomes of a job that is a duplicate (OJS unique jobs §5). */
public enum OnConflict {
    REJECT,
    IGNORE,
    REPLACE,
    REPLACE_EXCEPT_SCHEDULE;

    public String wire() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<OnConflict> parse(String wire) {
        // As the Java SDK says it.
        if (wire.equals("use_existing")) return Optional.of(IGNORE);
        for (OnConflict each : values()) if (each.wire().equals(wire)) return Optional.of(each);
        return Optional.empty();
    }

    public boolean replaces() {
        return this == REPLACE || this == REPLACE_EXCEPT_SCHEDULE;
    }
}
