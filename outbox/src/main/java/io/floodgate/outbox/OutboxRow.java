package io.floodgate.outbox;

/**
 * A row of the outbox.
 *
 * @param position by which rows of a queue are ordered
 * @param job as JSON
 */
record OutboxRow(String queue, long position, String id, String job) {
    long size() {
        return job.length();
    }
}
