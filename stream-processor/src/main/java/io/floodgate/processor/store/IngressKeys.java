package io.floodgate.processor.store;

/** The keys of what is stored of queues' own topics, see {@link Keys}. */
public final class IngressKeys {
    private IngressKeys() {}

    /** Returns the key of the cursor for a partition of a queue's own topic. */
    public static byte[] of(String queue, int partition) {
        return Keys.begin('i').text(queue).fixed(partition).toBytes();
    }

    /** The same of all its partitions. */
    public static byte[] ofQueue(String queue) {
        return Keys.begin('i').text(queue).toBytes();
    }

    /** Returns the key of the time at which a queue ended that may have a topic of its own. */
    public static byte[] ended(String queue) {
        return Keys.named('j', queue);
    }

    /** Returns the key under which the signing key of gateways for topics of queues is stored. */
    public static byte[] signingKey() {
        return Keys.kind('q');
    }

    public static byte[] allEnded() {
        return Keys.kind('j');
    }
}
