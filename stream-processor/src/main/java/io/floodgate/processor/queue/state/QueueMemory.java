package io.floodgate.processor.queue.state;

/** The memory of the queues of a partition. */
final class QueueMemory {
    private long names;
    /** Memory of stored configurations, as far as it exceeds that of a small one. */
    private long configs;
    /** Memory of starts that limits remember, and of the fetches of queues. */
    private long variable;

    void clear() {
        names = 0;
        configs = 0;
        variable = 0;
    }

    void add(Queue queue) {
        names += queue.name.length();
        recount(queue);
    }

    void remove(Queue queue) {
        names -= queue.name.length();
        count(queue, 0);
    }

    void recount(Queue queue) {
        count(queue, queue.variableBytes());
    }

    private void count(Queue queue, long now) {
        variable += now - queue.countedLimitBytes;
        queue.countedLimitBytes = now;
    }

    void addConfig(byte[] config) {
        configs += beyond(config);
    }

    void removeConfig(byte[] config) {
        configs -= beyond(config);
    }

    long configs() {
        return configs;
    }

    void restoreConfigs(long before) {
        configs = before;
    }

    private static long beyond(byte[] config) {
        return Math.max(0, config.length - Memory.SMALL_CONFIG);
    }

    long bytes(int queues) {
        return queues * Memory.QUEUE + names + configs * Memory.CONFIG_BYTE + variable;
    }
}
