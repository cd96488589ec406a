package io.floodgate.processor.topology.disk;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteBatch;

/** A scan over what is on disk and what is not yet there, beside a plain tree with the same content. */
class ChangedEntriesTest {
    private static final int KEYS = 30;

    @TempDir
    Path directory;

    private final Random random = new Random(3);
    private final Writes logged = new Writes();
    private final Writes written = new Writes();
    private final TreeMap<byte[], byte[]> expected = new TreeMap<>(Arrays::compareUnsigned);

    @Test
    void are_what_a_plain_tree_would_give() throws RocksDBException {
        try (Database database = Database.open(directory, List.of())) {
            ColumnFamilyHandle store = database.store("store");
            for (int round = 0; round < 300; round++) {
                begin(database, store);
                change(logged);
                change(written);
                byte[] from = key();
                byte[] to = key();
                List<String> wanted = expected(from, to);
                assertThat(scan(database, store, Range.upwards(from, to)))
                        .as("round %d", round)
                        .isEqualTo(wanted);
                assertThat(scan(database, store, Range.downwards(from, to)))
                        .as("round %d, downwards", round)
                        .isEqualTo(wanted.reversed());
            }
        }
    }

    private void begin(Database database, ColumnFamilyHandle store) throws RocksDBException {
        expected.clear();
        logged.clear();
        written.clear();
        try (WriteBatch batch = new WriteBatch()) {
            for (byte k = 0; k < KEYS; k++) {
                byte[] key = {0, k};
                if (random.nextBoolean()) {
                    byte[] value = value();
                    batch.put(store, key, value);
                    expected.put(key, value);
                } else {
                    batch.delete(store, key);
                }
            }
            batch.put(store, CommittedStore.POSITION, value());
            database.write(batch);
        }
    }

    private void change(Writes changes) {
        for (int i = random.nextInt(12); i > 0; i--) {
            byte[] key = key();
            if (random.nextInt(3) == 0) {
                changes.delete(key);
                expected.remove(key);
                continue;
            }
            byte[] value = value();
            boolean isNew = !expected.containsKey(key) && random.nextBoolean();
            if (isNew) changes.putNew(key, value);
            else changes.put(key, value);
            expected.put(key, value);
        }
    }

    private byte[] key() {
        return new byte[] {0, (byte) random.nextInt(KEYS + 1)};
    }

    private byte[] value() {
        return new byte[] {(byte) random.nextInt(100)};
    }

    private List<String> scan(Database database, ColumnFamilyHandle store, Range range) throws RocksDBException {
        List<String> found = new ArrayList<>();
        try (RocksIterator stored = database.iterate(store)) {
            Entries entries = new StoredEntries(stored, range);
            entries = new ChangedEntries(entries, logged.in(range), range);
            entries = new ChangedEntries(entries, written.in(range), range);
            for (byte[] key = entries.key(); key != null; key = entries.key()) {
                found.add(Arrays.toString(key) + Arrays.toString(entries.value()));
                entries.next();
            }
        }
        return found;
    }

    private List<String> expected(byte[] from, byte[] to) {
        List<String> all = new ArrayList<>();
        if (Arrays.compareUnsigned(from, to) < 0)
            expected.subMap(from, to).forEach((key, value) -> all.add(Arrays.toString(key) + Arrays.toString(value)));
        return all;
    }
}
