package io.floodgate.topics.job;

import java.util.Locale;
import java.util.Optional;

/** The eight states of OJS core §6.1. The order is part of the stored form: append only. */
public enum JobState {
    SCHEDULED,
    AVAILABLE,
    PENDING,
    ACTIVE,
    RETRYABLE,
    COMPLETED,
    CANCELLED,
    DISCARDED;

    private final String wire = name().toLowerCase(Locale.ROOT);

    public String wire() {
        return wire;
    }

    public boolean isTerminal() {
        return compareTo(COMPLETED) >= 0;
    }

    public static Optional<JobState> parse(String wire) {
        for (JobState state : values()) if (state.wire.equals(wire)) return Optional.of(state);
        return Optional.empty();
    }
}
