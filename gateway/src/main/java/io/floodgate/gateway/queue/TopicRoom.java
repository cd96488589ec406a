package io.floodgate.gateway.queue;

import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Rejection;

/**
 * Bounds the topics of queues, in partitions. Each takes memory and files of the brokers for as long as it exists, and
 * a server that has accepted too many does not come up again.
 */
final class TopicRoom {
    private final int max;
    private final int partitionsOfATopic;
    private int taken;

    TopicRoom(int max, int partitionsOfATopic) {
        this.max = max;
        this.partitionsOfATopic = partitionsOfATopic;
    }

    /** The number of topics when they were counted last. */
    synchronized void seen(int topics) {
        taken = topics * partitionsOfATopic;
    }

    synchronized void made() {
        taken += partitionsOfATopic;
    }

    /** Returns how many more topics may be made. */
    synchronized int left() {
        return Math.max(0, (max - taken) / partitionsOfATopic);
    }

    /**
     * Returns how many more topics may be made for queues that came into being with their first job: names that clients
     * make up leave half of the capacity to queues that an operator creates.
     */
    synchronized int leftForImplicit() {
        return Math.max(0, (max / 2 - taken) / partitionsOfATopic);
    }

    void mustHaveSome() throws RejectedException {
        if (left() > 0) return;
        throw new RejectedException(Rejection.of(
                        ErrorCode.TOO_MANY_QUEUES,
                        "There may be %d partitions of topics of queues, and there is no room for another topic. Delete topics ojs.queue.… whose queues are gone, raise --max-queue-topics, or use a queue without a topic: it is made by its first job."
                                .formatted(max))
                .with("max_queue_topics", max));
    }
}
