package io.floodgate.topics;

import java.nio.charset.StandardCharsets;

/**
 * The slot of a key, whatever the number of partitions: the low 12 bits of the hash that Kafka's default partitioner
 * uses. With a power of two up to 4,096 partitions, {@code slot mod P} is the partition that any Kafka client picks for
 * the same key.
 */
public record Slot(int number, int tag) {
    public static final int COUNT = 4_096;

    /** {@code tag} is the next 16 bits of the hash: made job ids carry both. */
    public static Slot of(String key) {
        int hash = Murmur2.hash(key.getBytes(StandardCharsets.UTF_8));
        return new Slot(hash & 0xFFF, (hash >>> 12) & 0xFFFF);
    }

    public int partition(int partitions) {
        return number & (partitions - 1);
    }
}
