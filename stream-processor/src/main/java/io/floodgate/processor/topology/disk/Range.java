package io.floodgate.processor.topology.disk;

import java.util.Arrays;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

/**
 * Keys from one on, up to another, which is not among them; and in which direction they are visited.
 *
 * <pre>
 *   upwards     from ▶────────▶ )to
 *   downwards   from ◀────────◀ )to
 * </pre>
 */
record Range(byte[] from, byte[] to, boolean isUpwards) {
    static Range upwards(byte[] from, byte[] to) {
        return new Range(from, to, true);
    }

    static Range downwards(byte[] from, byte[] to) {
        return new Range(from, to, false);
    }

    boolean has(byte[] key) {
        return Arrays.compareUnsigned(key, from) >= 0 && Arrays.compareUnsigned(key, to) < 0;
    }

    /** Compares keys in the order of the visit. */
    int compare(byte[] one, byte[] other) {
        int order = Arrays.compareUnsigned(one, other);
        return isUpwards ? order : -order;
    }

    void seek(RocksIterator entries) throws RocksDBException {
        if (isUpwards) {
            entries.seek(from);
            return;
        }
        entries.seekForPrev(to);
        if (entries.isValid() && Arrays.equals(entries.key(), to)) entries.prev();
    }

    void move(RocksIterator entries) {
        if (isUpwards) entries.next();
        else entries.prev();
    }
}
