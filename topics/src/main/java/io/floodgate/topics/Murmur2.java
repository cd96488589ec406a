package io.floodgate.topics;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** The hash of Kafka's default partitioner, for those who route without having Kafka's library. */
final class Murmur2 {
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int SEED = 0x9747b28c;
    private static final int FACTOR = 0x5bd1e995;
    private static final int SHIFT = 24;

    private Murmur2() {}

    static int hash(byte[] data) {
        int hash = SEED ^ data.length;
        int at = 0;
        for (; at + Integer.BYTES <= data.length; at += Integer.BYTES) {
            int word = (int) INT.get(data, at) * FACTOR;
            hash = (hash * FACTOR) ^ ((word ^ (word >>> SHIFT)) * FACTOR);
        }
        if (at < data.length) {
            for (int i = data.length - 1; i >= at; i--) hash ^= (data[i] & 0xFF) << (Byte.SIZE * (i - at));
            hash *= FACTOR;
        }
        hash ^= hash >>> 13;
        hash *= FACTOR;
        return hash ^ (hash >>> 15);
    }
}
