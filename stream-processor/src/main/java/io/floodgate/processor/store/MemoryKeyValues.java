package io.floodgate.processor.store;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/** {@link KeyValues} in memory, for tests and simulations. */
public final class MemoryKeyValues implements KeyValues {
    private final TreeMap<byte[], byte[]> entries = new TreeMap<>(Arrays::compareUnsigned);

    @Override
    public byte @Nullable [] get(byte[] key) {
        return entries.get(key);
    }

    @Override
    public void put(byte[] key, byte[] value) {
        entries.put(key, value);
    }

    @Override
    public void delete(byte[] key) {
        entries.remove(key);
    }

    @Override
    public void scan(byte[] from, byte[] to, BiPredicate<byte[], byte[]> visitor) {
        for (Map.Entry<byte[], byte[]> e : entries.subMap(from, to).entrySet()) {
            if (!visitor.test(e.getKey(), e.getValue())) return;
        }
    }

    @Override
    public void scanBack(byte[] from, byte[] to, BiPredicate<byte[], byte[]> visitor) {
        for (Map.Entry<byte[], byte[]> e :
                entries.subMap(from, true, to, false).descendingMap().entrySet()) {
            if (!visitor.test(e.getKey(), e.getValue())) return;
        }
    }

    public MemoryKeyValues copy() {
        MemoryKeyValues copy = new MemoryKeyValues();
        copy.entries.putAll(entries);
        return copy;
    }

    public Map<byte[], byte[]> entries() {
        return entries;
    }
}
