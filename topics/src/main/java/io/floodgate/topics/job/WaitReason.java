package io.floodgate.topics.job;

import io.floodgate.topics.json.WireName;

/** Reason why a job that has not ended is not run, as its partition says. */
public enum WaitReason implements WireName {
    SET_ASIDE,
    RUNNING,
    SCHEDULED,
    NOT_ACTIVATED,
    RETRY,
    MAKING_ROOM,
    MAINTENANCE,
    QUEUE_PAUSED,
    BEHIND_KEY,
    NOBODY_FETCHES,
    RATE_LIMITED,
    TENANT_AT_CONCURRENCY,
    TYPE_NOT_FETCHED,
    VERSION_NOT_ACCEPTED,
    TENANT_NOT_FETCHED,
    STARVED,
    WORKERS_BUSY,
    IN_LINE
}
