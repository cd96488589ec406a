package io.floodgate.outbox;

/** What a reader does. */
public enum OutboxState {
    /** It reads. */
    ACTIVE,
    /** Another one reads. */
    STANDBY,
    /** It has no connection to the database, and tries to get one. */
    DISCONNECTED,
    CLOSED
}
