package io.floodgate.topics.client;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The ways past Kafka's network to what is in the same process.
 *
 * @param replies from processors to requesters
 * @param logs to the broker
 * @param newTopics from gateways, which make topics of queues, to those that read them
 */
public record Shortcuts(DirectReplies replies, LocalPartitions logs, Signal newTopics) {
    /** A call to all in this process that listen. */
    public static final class Signal {
        private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

        public void listen(Runnable listener) {
            listeners.add(listener);
        }

        public void raise() {
            listeners.forEach(Runnable::run);
        }
    }

    /** Returns shortcuts without a broker in this process; processors may be added later. */
    public static Shortcuts withoutBroker() {
        return to(LocalPartitions.NONE);
    }

    public static Shortcuts to(LocalPartitions logs) {
        return new Shortcuts(new DirectReplies(), logs, new Signal());
    }
}
