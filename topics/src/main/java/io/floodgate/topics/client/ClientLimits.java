package io.floodgate.topics.client;

/**
 * Limits of what a client may have under way. A partition never takes all of what is shared: it gets no more than is
 * left for all others, so that a partition that does not answer does not hold up others.
 *
 * @param inFlight commands that may wait for a reply at the same time; further ones are rejected at once. A batch, or a look
 *     at very many queues, counts as several
 * @param waits queues at which fetches and watches may be parked at the same time, each counted for itself
 * @param probesPerLog questions to one partition whether it is well
 * @param workBytes commands that Kafka has not acknowledged yet, in bytes
 * @param completionBytes the same for reports of finished work, heartbeats and withdrawals. They are rejected for nothing
 *     but this: that their partition's partition takes no records
 */
public record ClientLimits(int inFlight, int waits, int probesPerLog, long workBytes, long completionBytes) {
    private static final long MIB = 1024L * 1024;

    public static final ClientLimits DEFAULT = new ClientLimits(10_000, 100_000, 16, 96 * MIB, 64 * MIB);

    public ClientLimits withInFlight(int value) {
        return new ClientLimits(value, waits, probesPerLog, workBytes, completionBytes);
    }
}
