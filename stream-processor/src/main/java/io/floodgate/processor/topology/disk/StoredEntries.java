package io.floodgate.processor.topology.disk;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

/** What is on disk from a key on, to another one. */
final class StoredEntries implements Entries {
    private final RocksIterator stored;
    private final byte[] to;
    private byte @Nullable [] key;

    StoredEntries(RocksIterator stored, byte[] from, byte[] to) throws RocksDBException {
        this.stored = stored;
        this.to = to;
        stored.seek(from);
        look();
    }

    private void look() throws RocksDBException {
        key = stored.isValid() ? stored.key() : null;
        if (key == null) stored.status();
        else if (Arrays.compareUnsigned(key, to) >= 0) key = null;
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
        stored.next();
        look();
    }
}
