package io.floodgate.verification.webhook;

import java.time.Instant;
import java.util.List;

/**
 * What happened in the queue of one subscriber, and what came to it.
 *
 * @param isTroubled whether it was dead or slow
 * @param since what had happened by then need not come
 * @param happened in the order of the topic
 * @param arrivals that it has answered with yes, in their order
 */
record DeliveryCourse(String subscriber, boolean isTroubled, Instant since, List<Seen> happened, List<Seen> arrivals) {
    /** An event, and when it happened or came. */
    record Seen(String event, Instant at) {}

    DeliveryCourse {
        happened = List.copyOf(happened);
        arrivals = List.copyOf(arrivals);
    }
}
