package io.floodgate.processor.topology.disk;

import io.floodgate.processor.store.KeyValues;
import io.floodgate.processor.store.StoreFailure;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiPredicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.errors.ProcessorStateException;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.internals.InternalProcessorContext;
import org.apache.kafka.streams.processor.internals.RecordBatchingStateRestoreCallback;
import org.apache.kafka.streams.query.Position;
import org.apache.kafka.streams.state.internals.CacheFlushListener;
import org.apache.kafka.streams.state.internals.CachedStateStore;
import org.apache.kafka.streams.state.internals.OffsetCheckpoint;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteBatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A store whose content on disk is always a committed state: that of its changelog up to the position it carries.
 *
 * <pre>
 *   put ─▶ written ── before a commit ──▶ logged ── after it ──▶ disk
 *            │  (each key once)             │                     ▲
 *            └──── gone if it fails ────────┘                     └── restored from the changelog
 * </pre>
 *
 * So that there is nothing to throw away after a crash, an aborted transaction or a task that was lost: the store says
 * where it stands, and only what came later is read back. Kafka Streams empties the directory of such a task; the stores
 * are in another one.
 */
public final class CommittedStore implements StateStore, CachedStateStore<byte[], byte[]>, KeyValues {
    private static final Logger LOG = LoggerFactory.getLogger(CommittedStore.class);

    /** Key of the position. Other keys begin with 0 or 1. */
    static final byte[] POSITION = {(byte) 0xFF, 'p'};

    /** A key behind all others. */
    private static final byte[] LAST = {(byte) 0xFF};

    private final String name;
    private final CommittedStores shared;
    private Writes written = new Writes();
    private Writes logged = new Writes();
    private final Flushes flushes = new Flushes();
    private String fullName = "";
    private Uuid changelogId = Uuid.ZERO_UUID;
    private @Nullable TopicPartition changelog;
    private @Nullable InternalProcessorContext<?, ?> context;
    private @Nullable ColumnFamilyHandle disk;
    private boolean transactional;
    private volatile boolean open;

    CommittedStore(String name, CommittedStores shared) {
        this.name = name;
        this.shared = shared;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void init(StateStoreContext newContext, StateStore root) {
        fullName = fullName(newContext.taskId(), name);
        transactional = StreamsConfig.EXACTLY_ONCE_V2.equals(
                newContext.appConfigs().get(StreamsConfig.PROCESSING_GUARANTEE_CONFIG));
        context = (InternalProcessorContext<?, ?>) newContext;
        try {
            disk = shared.database.store(fullName);
        } catch (RocksDBException e) {
            throw failed("store %s could not be opened".formatted(fullName), e);
        }
        tellThatThereIsState(newContext.stateDir().toPath());
        open = true;
        newContext.register(root, (RecordBatchingStateRestoreCallback) this::restore);
    }

    /** Returns the name in the database, where the stores of all tasks are. */
    public static String fullName(TaskId task, String store) {
        return task + "/" + store;
    }

    /** Kafka Streams looks at a start, and when tasks are given away, for which ones it has a directory that is not empty. */
    private static void tellThatThereIsState(Path taskDirectory) {
        try {
            Path mark = taskDirectory.resolve("stores-are-elsewhere");
            if (!Files.exists(mark)) Files.createFile(mark);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write to " + taskDirectory, e);
        }
    }

    // Where the store stands

    @Override
    @Deprecated // because it will go without saying
    @SuppressWarnings("InlineMeSuggester")
    public boolean managesOffsets() {
        return true;
    }

    /** Called once after the store has been opened: what cannot be continued is emptied here. */
    @Override
    public Long committedOffset(TopicPartition partition) {
        changelog = partition;
        StorePosition position = shared.database.isDamaged(fullName) ? emptied() : position();
        Optional<Changelogs.Changelog> now = shared.changelogs.find(partition, position);
        changelogId = now.map(Changelogs.Changelog::topic).orElse(Uuid.ZERO_UUID);
        flushes.open(position, now.map(Changelogs.Changelog::copies).orElse(1));
        if (position == null) return OffsetCheckpoint.OFFSET_UNKNOWN;
        if (now.isPresent() && now.get().continues(position)) return position.offset();
        if (now.isEmpty() || now.get().isAnother(position)) return refill(partition, now.orElse(null));
        LOG.warn(
                "Store {} stands at {} of a changelog that is now {}; it is read back as a whole.",
                fullName,
                position,
                now.map(Object::toString).orElse("gone"));
        empty();
        return OffsetCheckpoint.OFFSET_UNKNOWN;
    }

    /** Rejects what is older than what was committed together with the offsets. */
    private void beWhole() {
        Long committed = Objects.requireNonNull(context).processorMetadataForKey(changelogId.toString());
        flushes.compare(committed, fullName, shared);
    }

    /** The store is all there is: whether it is current, an operator has to say. */
    private Long refill(TopicPartition partition, Changelogs.@Nullable Changelog now) {
        boolean isEmpty = now != null && now.begin() == now.end();
        if (now == null || !isEmpty || !shared.refills.isAskedFor())
            throw new ChangelogRecreated(fullName, partition.topic(), isEmpty || now == null);
        try (RocksIterator stored = shared.database.iterate(disk())) {
            long last = shared.refills.refill(partition, new StoredEntries(stored, Range.upwards(new byte[0], LAST)));
            if (last == Refills.NOTHING) {
                empty();
                return OffsetCheckpoint.OFFSET_UNKNOWN;
            }
            try (WriteBatch batch = new WriteBatch()) {
                StorePosition end = new StorePosition(now.topic(), last, shared.clock.millis(), flushes.last());
                batch.put(disk(), POSITION, end.toBytes());
                shared.database.write(batch);
            }
            return last;
        } catch (RocksDBException e) {
            throw failed("store %s could not be written back".formatted(fullName), e);
        }
    }

    @Nullable
    StorePosition position() {
        try {
            return StorePosition.read(shared.database.get(disk(), POSITION));
        } catch (RocksDBException e) {
            shared.database.failed(fullName, e);
            throw failed("the position of store %s could not be read".formatted(fullName), e);
        }
    }

    private @Nullable StorePosition emptied() {
        empty();
        return null;
    }

    private void empty() {
        flushes.empty();
        try {
            shared.database.drop(List.of(fullName));
            disk = shared.database.store(fullName);
        } catch (RocksDBException e) {
            throw failed("store %s could not be emptied".formatted(fullName), e);
        }
    }

    // From the changelog

    private void restore(Collection<ConsumerRecord<byte[], byte[]>> records) {
        try (WriteBatch batch = new WriteBatch()) {
            StorePosition end = null;
            for (ConsumerRecord<byte[], byte[]> record : records) {
                Writes.add(batch, disk(), record.key(), record.value());
                flushes.read(record.headers());
                end = new StorePosition(changelogId, record.offset(), record.timestamp(), flushes.last());
            }
            if (end == null) return;
            batch.put(disk(), POSITION, end.toBytes());
            shared.database.write(batch);
        } catch (RocksDBException e) {
            throw failed("store %s could not be restored".formatted(fullName), e);
        }
    }

    // A transaction

    /** Called before a commit: whatever was written since the last one goes to the changelog, each key once. */
    @Override
    public void flushCache() {
        if (written.isEmpty()) return;
        InternalProcessorContext<?, ?> in = Objects.requireNonNull(context);
        long now = shared.clock.millis();
        in.addProcessorMetadataKeyValue(changelogId.toString(), flushes.begin(written.size()));
        written.forEach(
                (key, value) -> in.logChange(name, key, value, now, flushes.headersOfNext(), Position.emptyPosition()));
        takeAsLogged();
        shared.transactions.wrote(this);
    }

    /** Takes the writes as logged. Nothing is gone over again: in most transactions this is the first flush. */
    private void takeAsLogged() {
        Writes flushed = written;
        if (logged.isEmpty()) {
            written = logged;
            logged = flushed;
        } else {
            logged.putAll(flushed);
            flushed.clear();
        }
    }

    /** The transaction is committed: what it wrote is put to disk, with the position after it. */
    void addLogged(WriteBatch batch, Map<TopicPartition, Long> ends) throws RocksDBException {
        Long end = ends.get(Objects.requireNonNull(changelog));
        if (end == null)
            throw new ProcessorStateException("No record of store %s is in the transaction.".formatted(fullName));
        logged.addTo(batch, disk());
        batch.put(
                disk(), POSITION, new StorePosition(changelogId, end, shared.clock.millis(), flushes.last()).toBytes());
        logged.clear();
    }

    /** Commits in tests of the topology, which have no transactions. With transactions it says nothing new. */
    @Override
    public void commit(Map<TopicPartition, Long> changelogOffsets) {
        if (transactional || logged.isEmpty()) return;
        shared.transactions.forget(this);
        try (WriteBatch batch = new WriteBatch()) {
            addLogged(batch, changelogOffsets);
            shared.database.write(batch);
        } catch (RocksDBException e) {
            throw failed("store %s could not be written".formatted(fullName), e);
        }
    }

    /** Called when the store is handed on as a warm copy, after a commit. */
    @Override
    public void clearCache() {
        written.clear();
        logged.clear();
        shared.transactions.forget(this);
    }

    @Override
    public boolean setFlushListener(CacheFlushListener<byte[], byte[]> listener, boolean sendOldValues) {
        return false;
    }

    /** Returns the memory of writes that are not committed. */
    public long writtenBytes() {
        return written.bytes();
    }

    /**
     * Notes that the store is as good as new, if the cluster says that nothing has been written since: a processor that cannot ask it may
     * not be the owner any more. To be called from time to time, by any thread.
     */
    public void touch() {
        TopicPartition of = changelog;
        if (!open || of == null) return;
        Optional<Changelogs.Changelog> now = shared.changelogs.find(of);
        synchronized (shared.database) {
            StorePosition position = position();
            if (position == null || now.isEmpty() || !now.get().endsAt(position)) return;
            try (WriteBatch batch = new WriteBatch()) {
                StorePosition touched = new StorePosition(
                        position.changelog(), position.offset(), shared.clock.millis(), position.flushes());
                batch.put(disk(), POSITION, touched.toBytes());
                shared.database.write(batch);
            } catch (RocksDBException e) {
                throw failed("store %s could not be marked".formatted(fullName), e);
            }
        }
    }

    // Reading and writing, by the owner of the log

    @Override
    public byte @Nullable [] get(byte[] key) {
        if (!flushes.areWhole()) beWhole();
        byte[] found = written.find(key);
        if (found == null) found = logged.find(key);
        if (found != null) return Writes.isDeletion(found) ? null : found;
        try {
            return shared.database.get(disk(), key);
        } catch (RocksDBException e) {
            throw unreadable(e);
        }
    }

    @Override
    public void put(byte[] key, byte[] value) {
        written.put(key, value);
    }

    @Override
    public void putNew(byte[] key, byte[] value) {
        written.putNew(key, value);
    }

    @Override
    public void delete(byte[] key) {
        written.delete(key);
    }

    /** Most messages are appended to their logs within the transaction in which they were put into the outbox. */
    @Override
    public void withdraw(byte[] key) {
        if (!written.withdraw(key)) delete(key);
    }

    @Override
    public void scan(byte[] from, byte[] to, BiPredicate<byte[], byte[]> visitor) {
        scan(Range.upwards(from, to), visitor);
    }

    @Override
    public void scanBack(byte[] from, byte[] to, BiPredicate<byte[], byte[]> visitor) {
        scan(Range.downwards(from, to), visitor);
    }

    private void scan(Range range, BiPredicate<byte[], byte[]> visitor) {
        if (!flushes.areWhole()) beWhole();
        try (RocksIterator stored = shared.database.iterate(disk())) {
            Entries entries = new StoredEntries(stored, range);
            for (Writes changes : List.of(logged, written))
                if (!changes.isEmpty()) entries = new ChangedEntries(entries, changes.in(range), range);
            for (byte[] key = entries.key(); key != null; key = entries.key()) {
                if (!visitor.test(key, entries.value())) return;
                entries.next();
            }
        } catch (RocksDBException e) {
            throw unreadable(e);
        }
    }

    // Life

    private ColumnFamilyHandle disk() {
        return Objects.requireNonNull(disk, "the store is not open");
    }

    @Override
    public boolean persistent() {
        return true;
    }

    @Override
    public boolean isOpen() {
        return open;
    }

    @Override
    public void close() {
        open = false;
        clearCache();
    }

    /** The task starts again, and empties the store first if it is damaged. */
    private StoreFailure unreadable(RocksDBException cause) {
        shared.database.failed(fullName, cause);
        return new StoreFailure(failed("store %s could not be read".formatted(fullName), cause));
    }

    static ProcessorStateException failed(String what, RocksDBException cause) {
        return new ProcessorStateException("%s: %s".formatted(what, cause.getMessage()), cause);
    }
}
