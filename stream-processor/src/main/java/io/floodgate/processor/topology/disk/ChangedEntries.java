package io.floodgate.processor.topology.disk;

import java.util.Arrays;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;

/** Entries with changes over them; a change without a value takes an entry away. The changes may grow meanwhile. */
final class ChangedEntries implements Entries {
    private final Entries base;
    private final NavigableMap<byte[], byte @Nullable []> changes;
    private final byte[] to;
    private Map.@Nullable Entry<byte[], byte @Nullable []> change;
    private boolean isChange;

    ChangedEntries(Entries base, NavigableMap<byte[], byte @Nullable []> changes, byte[] from, byte[] to)
            throws RocksDBException {
        this.base = base;
        this.changes = changes;
        this.to = to;
        take(changes.ceilingEntry(from));
        settle();
    }

    private void take(Map.@Nullable Entry<byte[], byte @Nullable []> next) {
        change = next == null || Arrays.compareUnsigned(next.getKey(), to) >= 0 ? null : next;
    }

    private void settle() throws RocksDBException {
        while (change != null) {
            byte[] other = base.key();
            int order = other == null ? -1 : Arrays.compareUnsigned(change.getKey(), other);
            if (order > 0) break;
            if (order == 0) base.next();
            if (change.getValue() != null) {
                isChange = true;
                return;
            }
            take(changes.higherEntry(change.getKey()));
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
        if (isChange) take(changes.higherEntry(Objects.requireNonNull(change).getKey()));
        else base.next();
        settle();
    }
}
