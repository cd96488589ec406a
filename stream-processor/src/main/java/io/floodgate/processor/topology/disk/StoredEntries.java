package io.floodgate.processor.topology.disk;

import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

/** The entries on disk in a range of keys. */
final class StoredEntries implements Entries {
    private final RocksIterator stored;
    private final Range range;
    private byte @Nullable [] key;

    StoredEntries(RocksIterator stored, Range range) throws RocksDBException {
        this.stored = stored;
        this.range = range;
        range.seek(stored);
        look();
    }

    private void look() throws RocksDBException {
        key = stored.isValid() ? stored.key() : null;
        if (key == null) stored.status();
        else if (!range.has(key)) key = null;
    }

    @Override
    public byte @Nullable [] key() {
        return key;
    }

    @Override
    public byte[] value() {
        return stored.value();
    }

    @Override
    public void next() throws RocksDBException {
        range.move(stored);
        look();
    }
}
