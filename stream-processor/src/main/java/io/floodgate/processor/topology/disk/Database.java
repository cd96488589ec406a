package io.floodgate.processor.topology.disk;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.Env;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.SstFileManager;
import org.rocksdb.Status;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The RocksDB in which all stores of a process are: one log of writes, one open, and a commit is one write, whatever
 * number of stores it concerns. Each store is a column family of its own.
 *
 * <p>The log of writes makes a write outlast the process, though perhaps not the machine: then the content is an older
 * one, but still one that was committed, since a store's position is written in the same batch, to the same family.
 */
public final class Database implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Database.class);
    /**
     * Number of stores that are made at once: each time that some are made or dropped, RocksDB writes the options of
     * all.
     */
    private static final int MADE_AT_ONCE = 192;

    private final RocksDB db;
    private final List<String> expected;
    private final DBOptions options;
    private final ColumnFamilyOptions familyOptions;
    private final WriteOptions writeOptions = new WriteOptions();
    private final Map<String, ColumnFamilyHandle> families = new ConcurrentHashMap<>();
    /** Stores in which a read has found a damage. */
    private final Set<String> damaged = ConcurrentHashMap.newKeySet();

    private boolean closed;

    private Database(Path directory, List<String> expected, DBOptions options, ColumnFamilyOptions familyOptions)
            throws RocksDBException {
        this.expected = expected;
        this.options = options;
        this.familyOptions = familyOptions;
        List<ColumnFamilyDescriptor> known = new ArrayList<>();
        for (byte[] name : existingFamilies(directory)) known.add(new ColumnFamilyDescriptor(name, familyOptions));
        List<ColumnFamilyHandle> handles = new ArrayList<>();
        db = RocksDB.open(options, directory.toString(), known, handles);
        for (int i = 0; i < handles.size(); i++)
            families.put(new String(known.get(i).getName(), StandardCharsets.UTF_8), handles.get(i));
    }

    private static List<byte[]> existingFamilies(Path directory) throws RocksDBException {
        if (!Files.exists(directory.resolve("CURRENT"))) return List.of(RocksDB.DEFAULT_COLUMN_FAMILY);
        try (Options options = new Options()) {
            List<byte[]> found = RocksDB.listColumnFamilies(options, directory.toString());
            if (found.isEmpty()) // what RocksDB says when it cannot read the list
            throw new RocksDBException(
                        "no list of stores",
                        new Status(Status.Code.Corruption, Status.SubCode.None, "no list of stores"));
            return found;
        }
    }

    /**
     * One that cannot be read, after a disk failed or the machine stopped, is begun again: all is in the changelogs.
     *
     * @param stores all that may be in it, those of a partition side by side: one that is not there yet is made together
     *     with its neighbours
     */
    public static Database open(Path directory, List<String> stores) {
        try {
            Files.createDirectories(directory);
            NativeLibrary.loadOnceFrom(directory.resolve("native"));
            try {
                return tryOpen(directory, stores);
            } catch (RocksDBException unreadable) {
                if (!isCorrupt(unreadable)) throw unreadable;
                LOG.warn(
                        "The stores in {} cannot be read ({}). They are deleted, and restored from their changelogs.",
                        directory,
                        unreadable.getMessage());
                deleteTree(directory);
                Files.createDirectories(directory);
                return tryOpen(directory, stores);
            }
        } catch (RocksDBException e) {
            throw new IllegalStateException("cannot open the stores in %s: %s".formatted(directory, e.getMessage()), e);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot open the stores in " + directory, e);
        }
    }

    static boolean isCorrupt(RocksDBException failure) {
        Status status = failure.getStatus();
        return status != null && status.getCode() == Status.Code.Corruption;
    }

    private static Database tryOpen(Path directory, List<String> stores) throws RocksDBException {
        ColumnFamilyOptions familyOptions = RocksMemory.storeOptions(Math.max(1, stores.size()));
        DBOptions options;
        try (SstFileManager files = new SstFileManager(Env.getDefault())) {
            options = RocksMemory.databaseOptions(files);
        }
        try {
            return new Database(directory, stores, options, familyOptions);
        } catch (RocksDBException e) {
            familyOptions.close();
            options.close();
            throw e;
        }
    }

    /** Deletes a directory, if it exists. */
    public static void deleteTree(Path tree) throws IOException {
        if (!Files.exists(tree)) return;
        List<Path> all;
        try (Stream<Path> found = Files.walk(tree)) {
            all = found.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : all) Files.deleteIfExists(path);
    }

    /** The names of all stores there are. */
    List<String> stores() {
        return families.keySet().stream()
                .filter(name -> !Arrays.equals(name.getBytes(StandardCharsets.UTF_8), RocksDB.DEFAULT_COLUMN_FAMILY))
                .sorted()
                .toList();
    }

    /** The store of this name; a new one is empty. */
    synchronized ColumnFamilyHandle store(String name) throws RocksDBException {
        ColumnFamilyHandle known = families.get(name);
        if (known != null) return known;
        List<String> missing = missingAround(name);
        List<ColumnFamilyHandle> created = db.createColumnFamilies(
                familyOptions,
                missing.stream()
                        .map(store -> store.getBytes(StandardCharsets.UTF_8))
                        .toList());
        for (int i = 0; i < created.size(); i++) families.put(missing.get(i), created.get(i));
        return Objects.requireNonNull(families.get(name));
    }

    private List<String> missingAround(String name) {
        int place = expected.indexOf(name);
        if (place < 0) return List.of(name);
        int first = place - place % MADE_AT_ONCE;
        return expected.subList(first, Math.min(first + MADE_AT_ONCE, expected.size())).stream()
                .filter(store -> !families.containsKey(store))
                .toList();
    }

    /** Notes a failure of a store. One that is damaged has to be emptied before it is used again. */
    void failed(String store, RocksDBException failure) {
        if (isCorrupt(failure) && damaged.add(store))
            LOG.error(
                    "Store {} is damaged ({}). It is read back from its changelog as a whole.",
                    store,
                    failure.getMessage());
    }

    boolean isDamaged(String store) {
        return damaged.contains(store);
    }

    /** Deletes stores with all that is in them, at no cost. */
    synchronized void drop(Collection<String> names) throws RocksDBException {
        damaged.removeAll(names);
        List<ColumnFamilyHandle> known =
                names.stream().map(families::remove).filter(Objects::nonNull).toList();
        if (known.isEmpty()) return;
        db.dropColumnFamilies(known);
        known.forEach(ColumnFamilyHandle::close);
    }

    byte @Nullable [] get(ColumnFamilyHandle store, byte[] key) throws RocksDBException {
        return db.get(store, key);
    }

    RocksIterator iterate(ColumnFamilyHandle store) {
        return db.newIterator(store);
    }

    void write(WriteBatch batch) throws RocksDBException {
        db.write(writeOptions, batch);
    }

    @Override
    public synchronized void close() {
        if (closed) return;
        closed = true;
        families.values().forEach(ColumnFamilyHandle::close);
        try {
            db.closeE();
        } catch (RocksDBException e) {
            LOG.warn("The stores were not closed in order: {}", e.getMessage());
        }
        writeOptions.close();
        familyOptions.close();
        options.close();
    }
}
