package io.floodgate.processor.store;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/** An ordered map of bytes: in production a Kafka Streams store, in tests a tree in memory. */
public interface KeyValues {
    byte @Nullable [] get(byte[] key);

    void put(byte[] key, byte[] value);

    /** Puts a value under a key that has none. If it is deleted before it is committed, nothing is written at all. */
    default void putNew(byte[] key, byte[] value) {
        put(key, value);
    }

    void delete(byte[] key);

    /** Deletes an entry whose key was put once and never will be again: if it is not committed yet, nothing remains of it. */
    default void withdraw(byte[] key) {
        delete(key);
    }

    /** Visits the entries with {@code from <= key < to}, in unsigned order, until the visitor has had enough. */
    void scan(byte[] from, byte[] to, BiPredicate<byte[], byte[]> visitor);

    /** The same entries, from the last to the first. */
    void scanBack(byte[] from, byte[] to, BiPredicate<byte[], byte[]> visitor);

    /** Deletes up to {@code most} entries of a kind. Returns whether none is left. */
    default boolean deleteSome(byte[] kind, int most) {
        List<byte[]> some = new ArrayList<>();
        scan(kind, Keys.after(kind), (key, value) -> {
            some.add(key);
            return some.size() < most;
        });
        some.forEach(this::delete);
        return some.size() < most;
    }
}
