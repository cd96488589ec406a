package io.floodgate.topics;

import java.util.Locale;
import java.util.Optional;

/** The eight states of OJS core §6.1. */
public enum JobState {
    SCHEDULED(0),
    AVAILABLE(1),
    PENDING(2),
    ACTIVE(3),
    RETRYABLE(4),
    COMPLETED(5),
    CANCELLED(6),
    DISCARDED(7);

    private static final JobState[] STATES = values();

    private final int code;
    private final String wire = name().toLowerCase(Locale.ROOT);

    JobState(int code) {
        this.code = code;
    }

    /** Returns the stored code: from 0, without gaps, and never given to another state. */
    public int code() {
        return code;
    }

    public static JobState ofCode(int code) {
        return STATES[code];
    }

    public String wire() {
        return wire;
    }

    public boolean isTerminal() {
        return compareTo(COMPLETED) >= 0;
    }

    public static Optional<JobState> parse(String wire) {
        for (JobState state : STATES) if (state.wire.equals(wire)) return Optional.of(state);
        return Optional.empty();
    }
}
