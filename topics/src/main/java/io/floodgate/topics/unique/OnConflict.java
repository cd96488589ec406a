package io.floodgate.topics.unique;

import io.floodgate.topics.json.WireName;
import java.util.Optional;

/** What becomes of a job that is a duplicate (OJS unique jobs §5). */
public enum OnConflict implements WireName {
    REJECT,
    IGNORE,
    REPLACE,
    REPLACE_EXCEPT_SCHEDULE;

    public static Optional<OnConflict> parse(String wire) {
        // As the Java SDK says it.
        return wire.equals("use_existing") ? Optional.of(IGNORE) : WireName.parse(OnConflict.class, wire);
    }

    public boolean replaces() {
        return this == REPLACE || this == REPLACE_EXCEPT_SCHEDULE;
    }
}
