package io.floodgate.topics.cron;

import java.util.Locale;
import java.util.Optional;

/** What becomes of runs that were due while nothing could be decided. */
public enum CatchUp {
    /** The last of them is run, if it is not too late; the others are skipped. */
    LATEST,
    /** None is run that is late by more than a minute. */
    NONE,
    /** All are run, the oldest first, a hundred at most. */
    ALL;

    public String wire() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<CatchUp> parse(String text) {
        for (CatchUp policy : values()) if (policy.wire().equals(text)) return Optional.of(policy);
        return Optional.empty();
    }
}
