package io.floodgate.processor.testing;

import io.floodgate.processor.store.KeyValues;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/** Does what another one does, but for what a test changes. */
public class ForwardingKeyValues implements KeyValues {
    protected final KeyValues base;

    protected ForwardingKeyValues(KeyValues base) {
        this.base = base;
    }

    @Override
    public byte @Nullable [] get(byte[] key) {
        return base.get(key);
    }

    @Override
    public void put(byte[] key, byte[] value) {
        base.put(key, value);
    }

    @Override
    public void delete(byte[] key) {
        base.delete(key);
    }

    @Override
    public void scan(byte[] from, byte[] to, BiPredicate<byte[], byte[]> visitor) {
        base.scan(from, to, visitor);
    }

    @Override
    public void scanBack(byte[] from, byte[] to, BiPredicate<byte[], byte[]> visitor) {
        base.scanBack(from, to, visitor);
    }
}
