package io.floodgate.processor.topology.disk;

import java.nio.ByteBuffer;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;

/**
 * The position of a store: its content is a replay of its changelog up to a record. It is written together with the
 * content.
 *
 * @param changelog the topic's id: one that is made again under the same name is another one
 * @param offset the last record that is in the store
 * @param asOf when the content was all there was to know (milliseconds since 1970)
 * @param flushes how often there was something to log up to here
 */
record StorePosition(Uuid changelog, long offset, long asOf, long flushes) {
    private static final byte VERSION = 2;
    private static final int LENGTH = 1 + 5 * Long.BYTES;

    byte[] toBytes() {
        return ByteBuffer.allocate(LENGTH)
                .put(VERSION)
                .putLong(changelog.getMostSignificantBits())
                .putLong(changelog.getLeastSignificantBits())
                .putLong(offset)
                .putLong(asOf)
                .putLong(flushes)
                .array();
    }

    /** Null for what no position looks like: such a store is read back from its changelog. */
    static @Nullable StorePosition read(byte @Nullable [] stored) {
        if (stored == null || stored.length < LENGTH || stored[0] != VERSION) return null;
        ByteBuffer in = ByteBuffer.wrap(stored, 1, LENGTH - 1);
        return new StorePosition(new Uuid(in.getLong(), in.getLong()), in.getLong(), in.getLong(), in.getLong());
    }
}
