package io.floodgate.processor.kernel;

import io.floodgate.processor.store.KeyValues;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/** The writes of one step, kept back until all of its effects are known: they are kept or dropped as a whole. */
final class StagedKeyValues implements KeyValues {
    private final KeyValues base;
    private final TreeMap<byte[], Optional<byte[]>> staged = new TreeMap<>(Arrays::compareUnsigned);

    StagedKeyValues(KeyValues base) {
        this.base = base;
    }

    @Override
    public byte @Nullable [] get(byte[] key) {
        Optional<byte[]> own = staged.get(key);
        return own == null ? base.get(key) : own.orElse(null);
    }

    @Override
    public void put(byte[] key, byte[] value) {
        staged.put(key, Optional.of(value));
    }

    @Override
    public void delete(byte[] key) {
        staged.put(key, Optional.empty());
    }

    /** What was there before this step: scans serve listings and slices, which come before any write of theirs. */
    @Override
    public void scan(byte[] from, byte[] to, BiPredicate<byte[], byte[]> visitor) {
        base.scan(from, to, visitor);
    }

    @Override
    public void scanBack(byte[] from, byte[] to, BiPredicate<byte[], byte[]> visitor) {
        base.scanBack(from, to, visitor);
    }

    void keep() {
        for (Map.Entry<byte[], Optional<byte[]>> write : staged.entrySet()) {
            if (write.getValue().isPresent())
                base.put(write.getKey(), write.getValue().get());
            else base.delete(write.getKey());
        }
        staged.clear();
    }

    void drop() {
        staged.clear();
    }
}
