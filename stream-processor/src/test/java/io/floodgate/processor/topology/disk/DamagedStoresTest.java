package io.floodgate.processor.topology.disk;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.DBOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteBatch;

/** Whatever a disk makes of the files, a store has a state that was committed, or says that it has none. */
class DamagedStoresTest {
    private static final Path MEMORY = Path.of("/dev/shm");
    private static final List<String> STORES = List.of("0_0/jobs", "0_0/payloads");
    private static final int COMMITS = 40;
    private static final int KEYS = 12;

    private final Random random = new Random(Long.getLong("queue.seed", 7));
    /** The states of each store, by the offset of its position. */
    private final Map<String, List<Map<String, String>>> states = new TreeMap<>();

    private Path work;
    private Path whole;
    private Path older;

    @BeforeEach
    void makeStores() throws Exception {
        work = Files.isWritable(MEMORY)
                ? Files.createTempDirectory(MEMORY, "stores")
                : Files.createTempDirectory("stores");
        whole = work.resolve("whole");
        older = work.resolve("older");
        for (String store : STORES) states.put(store, new ArrayList<>(List.of(Map.of())));
        commit(COMMITS / 4);
        flush();
        commit(COMMITS / 4);
        copy(whole, older);
        flush();
        commit(COMMITS / 2);
    }

    @AfterEach
    void delete() throws IOException {
        Database.deleteTree(work);
    }

    @Test
    void whichever_bit_is_flipped_no_state_is_served_that_was_not_committed() throws Exception {
        int noticed = 0;
        for (int trial = 0; trial < 10; trial++)
            for (Path file : files(whole)) {
                Path damaged = damaged();
                long bit = random.nextLong(Files.size(file) * 8);
                flip(damaged.resolve(file.getFileName()), bit);
                if (!isLatest(damaged, file.getFileName() + ", bit " + bit)) noticed++;
            }
        assertThat(noticed).isPositive();
    }

    @Test
    void wherever_a_file_is_cut_or_empty_no_state_is_served_that_was_not_committed() throws Exception {
        for (int trial = 0; trial < 4; trial++)
            for (Path file : files(whole)) {
                Path damaged = damaged();
                long size = trial == 0 ? 0 : random.nextLong(Files.size(file));
                try (RandomAccessFile cut =
                        new RandomAccessFile(damaged.resolve(file.getFileName()).toFile(), "rw")) {
                    cut.setLength(size);
                }
                isLatest(damaged, file.getFileName() + ", cut at " + size);
            }
    }

    @Test
    void whichever_page_is_zero_no_state_is_served_that_was_not_committed() throws Exception {
        for (int trial = 0; trial < 4; trial++)
            for (Path file : files(whole)) {
                Path damaged = damaged();
                long from = random.nextLong(Files.size(file));
                try (RandomAccessFile zeroed =
                        new RandomAccessFile(damaged.resolve(file.getFileName()).toFile(), "rw")) {
                    zeroed.seek(from);
                    zeroed.write(new byte[(int) Math.min(4096, Files.size(file) - from)]);
                }
                isLatest(damaged, file.getFileName() + ", zero from " + from);
            }
    }

    @Test
    void whichever_file_is_missing_or_older_no_state_is_served_that_was_not_committed() throws Exception {
        for (Path file : files(whole)) {
            Path missing = damaged();
            Files.delete(missing.resolve(file.getFileName()));
            isLatest(missing, file.getFileName() + " missing");
            Path before = older.resolve(file.getFileName());
            if (!Files.exists(before)) continue;
            Path changed = damaged();
            Files.copy(before, changed.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
            isLatest(changed, file.getFileName() + " of before");
        }
    }

    @Test
    void a_store_in_which_a_read_finds_a_damage_is_emptied_when_it_is_opened_again() throws Exception {
        Path damaged = damaged();
        for (Path file : files(damaged)) if (file.toString().endsWith(".sst")) flip(file, 8 * 20);
        try (Database database = Database.open(damaged, STORES)) {
            RocksDBException found = catchThrowableOfType(
                    RocksDBException.class, () -> content(database, database.store(STORES.getFirst())));
            database.failed(STORES.getFirst(), found);
            assertThat(database.isDamaged(STORES.getFirst())).isTrue();
            assertThat(database.isDamaged(STORES.getLast())).isFalse();

            database.drop(List.of(STORES.getFirst()));

            assertThat(content(database, database.store(STORES.getFirst()))).isEmpty();
            assertThat(database.isDamaged(STORES.getFirst())).isFalse();
        }
    }

    /** Returns whether all is there; fails if there is anything that was never committed. */
    private boolean isLatest(Path directory, String what) {
        boolean isLatest = true;
        try (Database database = Database.open(directory, STORES)) {
            for (String store : STORES) isLatest &= isLatest(database, store, what);
        }
        return isLatest;
    }

    private boolean isLatest(Database database, String store, String what) {
        try {
            ColumnFamilyHandle family = database.store(store);
            StorePosition position = StorePosition.read(database.get(family, CommittedStore.POSITION));
            Map<String, String> found = content(database, family);
            if (position == null) return false; // read back as a whole, and emptied before
            assertThat(found)
                    .as("%s at %d after %s", store, position.offset(), what)
                    .isEqualTo(states.get(store).get((int) position.offset()));
            return position.offset() == COMMITS;
        } catch (RocksDBException noticed) {
            assertThat(Database.isCorrupt(noticed))
                    .as("%s after %s", noticed, what)
                    .isTrue();
            return false;
        }
    }

    private static Map<String, String> content(Database database, ColumnFamilyHandle family) throws RocksDBException {
        Map<String, String> content = new TreeMap<>();
        try (RocksIterator stored = database.iterate(family)) {
            Entries entries = new StoredEntries(stored, Range.upwards(new byte[0], new byte[] {(byte) 0xFF}));
            for (byte[] key = entries.key(); key != null; key = entries.key()) {
                content.put(new String(key, UTF_8), new String(entries.value(), UTF_8));
                entries.next();
            }
        }
        return content;
    }

    private void commit(int commits) throws RocksDBException {
        try (Database database = Database.open(whole, STORES)) {
            for (int i = 0; i < commits; i++)
                try (WriteBatch batch = new WriteBatch()) {
                    for (String store : STORES) commit(database.store(store), states.get(store), batch);
                    database.write(batch);
                }
        }
    }

    private void commit(ColumnFamilyHandle family, List<Map<String, String>> history, WriteBatch batch)
            throws RocksDBException {
        Map<String, String> state = new TreeMap<>(history.getLast());
        for (int write = 0; write < 3; write++) {
            String key = "key-" + random.nextInt(KEYS);
            @Nullable String value = random.nextInt(4) == 0 ? null : "value-" + random.nextInt();
            Writes.add(batch, family, key.getBytes(UTF_8), value == null ? null : value.getBytes(UTF_8));
            if (value == null) state.remove(key);
            else state.put(key, value);
        }
        batch.put(family, CommittedStore.POSITION, new StorePosition(Uuid.ONE_UUID, history.size(), 0, 1).toBytes());
        history.add(state);
    }

    /** Writes what is in memory into tables. */
    private void flush() throws RocksDBException {
        List<ColumnFamilyDescriptor> known =
                new ArrayList<>(List.of(new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY)));
        for (String store : STORES) known.add(new ColumnFamilyDescriptor(store.getBytes(UTF_8)));
        List<ColumnFamilyHandle> handles = new ArrayList<>();
        try (DBOptions options = new DBOptions();
                RocksDB db = RocksDB.open(options, whole.toString(), known, handles);
                FlushOptions flush = new FlushOptions()) {
            db.flush(flush, handles);
            handles.forEach(ColumnFamilyHandle::close);
        }
    }

    private Path damaged() throws IOException {
        Path damaged = work.resolve("damaged");
        Database.deleteTree(damaged);
        copy(whole, damaged);
        return damaged;
    }

    private static List<Path> files(Path directory) throws IOException {
        try (Stream<Path> all = Files.list(directory)) {
            return all.filter(Files::isRegularFile)
                    .filter(file -> !file.endsWith("LOCK") && file.toFile().length() > 0)
                    .sorted()
                    .toList();
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.createDirectories(to);
        for (Path file : files(from)) Files.copy(file, to.resolve(file.getFileName()));
    }

    private static void flip(Path file, long bit) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        bytes[(int) (bit / 8)] ^= (byte) (1 << bit % 8);
        Files.write(file, bytes);
    }
}
