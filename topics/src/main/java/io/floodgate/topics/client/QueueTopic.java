package io.floodgate.topics.client;

import java.util.Arrays;

/**
 * The way of a job through the topic of its queue.
 *
 * @param partition of the topic
 * @param key with which the partition knows that a gateway has written it
 */
public record QueueTopic(String queue, int partition, byte[] key) {
    @Override
    public boolean equals(Object other) {
        return other instanceof QueueTopic topic
                && topic.queue.equals(queue)
                && topic.partition == partition
                && Arrays.equals(topic.key, key);
    }

    @Override
    public int hashCode() {
        return 31 * queue.hashCode() + partition;
    }

    /** Returns a text without the key. */
    @Override
    public String toString() {
        return "%s/%d".formatted(io.floodgate.topics.Topics.ingress(queue), partition);
    }
}
