package io.floodgate.topics.limit;

import io.floodgate.topics.json.WireName;

/** Parts of a limit that can hold jobs back. */
public enum Strategy implements WireName {
    CONCURRENCY,
    RATE,
    THROTTLE,
    /** A worker has said that nothing may start before a time (OJS rate limiting §9.1). */
    ADJUSTED,
    /** Keys of rate limits take as much memory as they may where this one is decided. */
    MEMORY
}
