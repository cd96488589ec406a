package io.floodgate.topics.client;

import io.floodgate.topics.command.Reply;
import io.floodgate.topics.command.ReplyTo;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The way of a reply to a requester in the same process: in memory, past Kafka. It loses nothing by that, for a reply is
 * not durable on its topic either: what a processor does again after a crash, it answers again.
 */
public final class DirectReplies {
    /** Takes replies for a requester. */
    interface Taker {
        /** Returns at once, for a stream thread waits for it; false if it has too many of them already. */
        boolean take(long correlation, Reply reply);
    }

    private final Map<String, Taker> takers = new ConcurrentHashMap<>();

    void register(String requester, Taker taker) {
        takers.put(requester, taker);
    }

    void unregister(String requester) {
        takers.remove(requester);
    }

    /**
     * Hands a reply over. Returns false if the requester is in another process, or too far behind: then the reply goes
     * by Kafka.
     */
    public boolean handOver(ReplyTo to, Reply reply) {
        Taker taker = takers.get(to.requester());
        return taker != null && taker.take(to.correlation(), reply);
    }
}
