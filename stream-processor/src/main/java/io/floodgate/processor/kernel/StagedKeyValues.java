package io.floodgate.processor.kernel;

import io.floodgate.processor.store.KeyValues;
import java.util.Arrays;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/** The writes of one step, kept back until all of its effects are known: they are kept or dropped as a whole. */
final class StagedKeyValues implements KeyValues {
    private final KeyValues base;
    private final TreeMap<byte[], Write> staged = new TreeMap<>(Arrays::compareUnsigned);

    /**
     * @param value null if the key is deleted
     * @param isNew the base has nothing under the key
     */
    private record Write(byte @Nullable [] value, boolean isNew) {}

    StagedKeyValues(KeyValues base) {
        this.base = base;
    }

    @Override
    public byte @Nullable [] get(byte[] key) {
        Write own = staged.get(key);
        return own == null ? base.get(key) : own.value;
    }

    @Override
    public void put(byte[] key, byte[] value) {
        Write before = staged.get(key);
        staged.put(key, new Write(value, before != null && before.isNew));
    }

    @Override
    public void putNew(byte[] key, byte[] value) {
        Write before = staged.get(key);
        staged.put(key, new Write(value, before == null || before.isNew));
    }

    @Override
    public void delete(byte[] key) {
        Write before = staged.get(key);
        if (before != null && before.isNew) staged.remove(key);
        else staged.put(key, new Write(null, false));
    }

    /**
     * Scans what was there before this step: scans serve listings and slices, which come before any write of theirs.
     */
    @Override
    public void scan(byte[] from, byte[] to, BiPredicate<byte[], byte[]> visitor) {
        base.scan(from, to, visitor);
    }

    @Override
    public void scanBack(byte[] from, byte[] to, BiPredicate<byte[], byte[]> visitor) {
        base.scanBack(from, to, visitor);
    }

    void keep() {
        staged.forEach((key, write) -> {
            if (write.value == null) base.delete(key);
            else if (write.isNew) base.putNew(key, write.value);
            else base.put(key, write.value);
        });
        staged.clear();
    }

    void drop() {
        staged.clear();
    }
}
