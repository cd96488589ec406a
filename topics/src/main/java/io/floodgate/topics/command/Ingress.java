package io.floodgate.topics.command;

import io.floodgate.topics.Topics;
import io.floodgate.topics.json.Wire;
import org.jspecify.annotations.Nullable;

/**
 * A partition of a queue's own topic, or of a source's.
 *
 * @param topicId one that is deleted and made again has another
 * @param reading null for a queue's own topic
 */
public record Ingress(
        String queue,
        String topicId,
        int partition,
        @Nullable Reading reading) {
    /**
     * The reading of a topic that is a source.
     *
     * @param source its name
     * @param epoch a later one begins elsewhere, and ends those before
     */
    public record Reading(String source, @Wire.Least(0) long epoch) {}

    /** Of a queue's own topic. */
    public Ingress(String queue, String topicId, int partition) {
        this(queue, topicId, partition, null);
    }

    /** Why a job that names this queue does not come in here. */
    public Rejection reject(String named) {
        return Rejection.of(
                        ErrorCode.INVALID_QUEUE,
                        "The job names queue '%s', and stands in the topic of queue '%s'.".formatted(named, queue))
                .with("queue", queue);
    }

    @Override
    public String toString() {
        return (reading == null ? Topics.ingress(queue) : "source " + reading.source) + "/" + partition;
    }
}
