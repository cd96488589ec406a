package io.floodgate.topics.client;

/**
 * The ways past Kafka's network to what is in the same process.
 *
 * @param replies from processors to requesters
 * @param logs to the broker
 */
public record Shortcuts(DirectReplies replies, LocalPartitions logs) {
    /** For one whose neighbours are all in other processes, or to be made known to those that come. */
    public static Shortcuts withoutBroker() {
        return to(LocalPartitions.NONE);
    }

    public static Shortcuts to(LocalPartitions logs) {
        return new Shortcuts(new DirectReplies(), logs);
    }
}
