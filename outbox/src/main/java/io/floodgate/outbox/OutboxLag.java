package io.floodgate.outbox;

/**
 * What waits in the outbox.
 *
 * @param rows counted up to a bound
 * @param oldestSeconds the age of the oldest first row of a queue; 0 if there is none
 * @param rejected rows that can never be jobs, counted up to a bound
 */
record OutboxLag(long rows, double oldestSeconds, long rejected) {
    static final OutboxLag NONE = new OutboxLag(0, 0, 0);
}
