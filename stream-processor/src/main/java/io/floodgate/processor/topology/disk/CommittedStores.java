package io.floodgate.processor.topology.disk;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.streams.state.StoreBuilder;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Services that the stores of a process share. */
public final class CommittedStores {
    private static final Logger LOG = LoggerFactory.getLogger(CommittedStores.class);

    /**
     * Time for which changelogs remember deletions. A store that has not been brought up to date for this time may have
     * missed some, and is read back as a whole.
     */
    public static final Duration DELETIONS_REMEMBERED = Duration.ofHours(24);

    private static final Duration MARGIN = Duration.ofHours(1);
    /** Time within which clients leave a broker that is cut off from the others. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    final Database database;
    final Transactions transactions;
    final Changelogs changelogs;
    final Refills refills;
    final Clock clock;
    private final Map<String, Instant> incomplete = new ConcurrentHashMap<>();

    public CommittedStores(Database database, Transactions transactions, Changelogs changelogs, Clock clock) {
        this(database, transactions, changelogs, Refills.NONE, clock);
    }

    /** @param refills for changelogs that were deleted and made again */
    public CommittedStores(
            Database database, Transactions transactions, Changelogs changelogs, Refills refills, Clock clock) {
        this.refills = refills;
        this.database = database;
        this.transactions = transactions;
        this.changelogs = changelogs;
        this.clock = clock;
        dropOutdated();
    }

    /** Drops the stores of partitions that went elsewhere long ago, or never came. */
    private void dropOutdated() {
        List<String> outdated = new ArrayList<>();
        for (String store : database.stores()) {
            StorePosition position = position(store);
            if (position != null && !isOutdated(position)) continue;
            if (position != null)
                LOG.info("Store {} is too old to be brought up to date; it is read back from its changelog.", store);
            outdated.add(store);
        }
        try {
            database.drop(outdated);
        } catch (RocksDBException e) {
            throw CommittedStore.failed("stores that are outdated could not be deleted: " + outdated, e);
        }
    }

    private @Nullable StorePosition position(String store) {
        try {
            return StorePosition.read(database.get(database.store(store), CommittedStore.POSITION));
        } catch (RocksDBException e) {
            database.failed(store, e);
            if (database.isDamaged(store)) return null;
            throw CommittedStore.failed("store %s could not be looked at".formatted(store), e);
        }
    }

    private boolean isOutdated(StorePosition position) {
        return position.asOf()
                < clock.millis() - DELETIONS_REMEMBERED.minus(MARGIN).toMillis();
    }

    /** Returns whether the end of its changelog may still be found. */
    boolean mayStillCome(String store) {
        Instant since = incomplete.computeIfAbsent(store, unused -> clock.instant());
        return clock.instant().isBefore(since.plus(PATIENCE));
    }

    void isWhole(String store) {
        incomplete.remove(store);
    }

    /** A store of this name in every task. */
    public StoreBuilder<CommittedStore> named(String name, Map<String, String> changelogConfig) {
        return new Builder(name, changelogConfig, this);
    }

    private record Builder(String name, Map<String, String> logConfig, CommittedStores stores)
            implements StoreBuilder<CommittedStore> {
        @Override
        public CommittedStore build() {
            return new CommittedStore(name, stores);
        }

        @Override
        public StoreBuilder<CommittedStore> withCachingEnabled() {
            throw new UnsupportedOperationException("The writes of a transaction are always gathered.");
        }

        @Override
        public StoreBuilder<CommittedStore> withCachingDisabled() {
            throw new UnsupportedOperationException("The writes of a transaction are always gathered.");
        }

        @Override
        public StoreBuilder<CommittedStore> withLoggingEnabled(Map<String, String> config) {
            return new Builder(name, config, stores);
        }

        @Override
        public StoreBuilder<CommittedStore> withLoggingDisabled() {
            throw new UnsupportedOperationException("A store is what its changelog says.");
        }

        @Override
        public boolean loggingEnabled() {
            return true;
        }
    }
}
