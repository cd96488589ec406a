package io.floodgate.processor.topology.disk;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/**
 * The writes of a transaction, each key once. They are found by a hash, since each step looks for what the ones before
 * it wrote, and put in order only for scans, which are rare.
 */
final class Writes {
    /** Value of a key that was deleted; compared by identity, not by content. */
    private static final byte[] DELETED = {};

    /** Bytes beside key and value: an entry of the table, the key's wrapper and two arrays. */
    private static final int ENTRY_BYTES = 120;

    private final Map<Bytes, byte[]> entries = new LinkedHashMap<>();

    /** Keys under which nothing was stored before. */
    private final Set<Bytes> added = new HashSet<>();

    private long bytes;

    void put(byte[] key, byte[] value) {
        put(Bytes.wrap(key), value);
    }

    void putNew(byte[] key, byte[] value) {
        Bytes wrapped = Bytes.wrap(key);
        // Behind a deletion there may be something.
        if (!entries.containsKey(wrapped)) added.add(wrapped);
        put(wrapped, value);
    }

    void delete(byte[] key) {
        Bytes wrapped = Bytes.wrap(key);
        if (added.remove(wrapped)) remove(wrapped);
        else put(wrapped, DELETED);
    }

    private void remove(Bytes key) {
        byte[] before = Objects.requireNonNull(entries.remove(key));
        bytes -= ENTRY_BYTES + key.get().length + before.length;
    }

    private void put(Bytes key, byte[] value) {
        byte[] before = entries.put(key, value);
        bytes += before == null ? ENTRY_BYTES + key.get().length + value.length : value.length - before.length;
    }

    int size() {
        return entries.size();
    }

    void putAll(Writes others) {
        others.entries.forEach(this::put);
    }

    /** Takes back what was written, if it was not a deletion: true if there was something. */
    boolean withdraw(byte[] key) {
        Bytes wrapped = Bytes.wrap(key);
        byte[] before = entries.get(wrapped);
        if (before == null || isDeletion(before)) return false;
        added.remove(wrapped);
        remove(wrapped);
        return true;
    }

    /** The value that was written last; what {@link #isDeletion} says of it if the key was deleted, null if nothing was written. */
    byte @Nullable [] find(byte[] key) {
        return entries.isEmpty() ? null : entries.get(Bytes.wrap(key));
    }

    @SuppressWarnings("ReferenceEquality")
    static boolean isDeletion(byte[] found) {
        return found == DELETED;
    }

    /** Visits the writes in the order in which their keys were first written; deletions have no value. */
    void forEach(BiConsumer<Bytes, byte @Nullable []> visitor) {
        entries.forEach((key, value) -> visitor.accept(key, isDeletion(value) ? null : value));
    }

    void addTo(WriteBatch batch, ColumnFamilyHandle disk) throws RocksDBException {
        for (Map.Entry<Bytes, byte[]> entry : entries.entrySet())
            add(batch, disk, entry.getKey().get(), isDeletion(entry.getValue()) ? null : entry.getValue());
    }

    /** @param value null for none */
    static void add(WriteBatch batch, ColumnFamilyHandle disk, byte[] key, byte @Nullable [] value)
            throws RocksDBException {
        if (value == null) batch.delete(disk, key);
        else batch.put(disk, key, value);
    }

    /** Returns the writes of a range, in its order, as they are now; deletions have no value. */
    SortedMap<byte[], byte @Nullable []> in(Range range) {
        SortedMap<byte[], byte @Nullable []> found = new TreeMap<>(range::compare);
        forEach((key, value) -> {
            if (range.has(key.get())) found.put(key.get(), value);
        });
        return found;
    }

    boolean isEmpty() {
        return entries.isEmpty();
    }

    /** Returns the memory of the writes. */
    long bytes() {
        return bytes;
    }

    void clear() {
        entries.clear();
        added.clear();
        bytes = 0;
    }
}
