package io.floodgate.topics.schema;

import io.floodgate.topics.json.WireName;

/**
 * What the next version of a schema may change. Where nothing is said, a version with the same major number as the one before
 * it is checked as by {@link #BACKWARD} (OJS schema registry §8).
 */
public enum Compatibility implements WireName {
    /** Anything. */
    NONE,
    /** What the version before accepts must be accepted: old producers, new workers. */
    BACKWARD,
    /** What it accepts must be accepted by the version before: new producers, old workers. */
    FORWARD,
    /** Both. */
    FULL;

    @Override
    public String wire() {
        return name();
    }
}
