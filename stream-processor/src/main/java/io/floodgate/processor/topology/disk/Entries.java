package io.floodgate.processor.topology.disk;

import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;

/** Entries of a store in the order of their keys, one at a time. */
public interface Entries {
    /** The key of the entry at hand; null after the last one. */
    byte @Nullable [] key();

    byte[] value();

    void next() throws RocksDBException;
}
