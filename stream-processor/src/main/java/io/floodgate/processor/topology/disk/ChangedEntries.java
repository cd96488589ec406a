package io.floodgate.processor.topology.disk;

import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;

/** Entries with changes over them; a change without a value takes an entry away. */
final class ChangedEntries implements Entries {
    private final Entries base;
    private final Iterator<Map.Entry<byte[], byte @Nullable []>> changes;
    private final Range range;
    private Map.@Nullable Entry<byte[], byte @Nullable []> change;
    private boolean isChange;

    /** @param changes in this range, and in its order */
    ChangedEntries(Entries base, SortedMap<byte[], byte @Nullable []> changes, Range range) throws RocksDBException {
        this.base = base;
        this.changes = changes.entrySet().iterator();
        this.range = range;
        change = nextChange();
        settle();
    }

    private Map.@Nullable Entry<byte[], byte @Nullable []> nextChange() {
        return changes.hasNext() ? changes.next() : null;
    }

    private void settle() throws RocksDBException {
        while (change != null) {
            byte[] other = base.key();
            int order = other == null ? -1 : range.compare(change.getKey(), other);
            if (order > 0) break;
            if (order == 0) base.next();
            if (change.getValue() != null) {
                isChange = true;
                return;
            }
            change = nextChange();
        }
        isChange = false;
    }

    @Override
    public byte @Nullable [] key() {
        return isChange ? Objects.requireNonNull(change).getKey() : base.key();
    }

    @Override
    public byte[] value() {
        return isChange ? Objects.requireNonNull(Objects.requireNonNull(change).getValue()) : base.value();
    }

    @Override
    public void next() throws RocksDBException {
        if (isChange) change = nextChange();
        else base.next();
        settle();
    }
}
