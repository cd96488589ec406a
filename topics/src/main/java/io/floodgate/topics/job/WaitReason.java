package io.floodgate.topics.job;

import java.util.Locale;
import java.util.Optional;

/** Reason why a job that has not ended is not run, as its partition says. */
public enum WaitReason {
    SET_ASIDE,
    RUNNING,
    SCHEDULED,
    NOT_ACTIVATED,
    RETRY,
    MAKING_ROOM,
    MAINTENANCE,
    QUEUE_PAUSED,
    NOBODY_FETCHES,
    RATE_LIMITED,
    TYPE_NOT_FETCHED,
    VERSION_NOT_ACCEPTED,
    TENANT_NOT_FETCHED,
    STARVED,
    WORKERS_BUSY,
    IN_LINE;

    public String wire() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<WaitReason> of(String wire) {
        for (WaitReason each : values()) if (each.wire().equals(wire)) return Optional.of(each);
        return Optional.empty();
    }
}
