package io.floodgate.processor.topology.disk;

import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/** The stores that have written to the open transaction of one stream thread. */
public final class Transactions {
    private final Database database;
    private final Runnable onCommit;
    private final ThreadLocal<Set<CommittedStore>> open = ThreadLocal.withInitial(LinkedHashSet::new);

    /** @param onCommit runs after each commit, on the thread that it was for */
    public Transactions(Database database, Runnable onCommit) {
        this.database = database;
        this.onCommit = onCommit;
    }

    void wrote(CommittedStore store) {
        open.get().add(store);
    }

    void forget(CommittedStore store) {
        open.get().remove(store);
    }

    /** @param ends the last record of the transaction in each partition that it wrote to */
    void committed(Map<TopicPartition, Long> ends) {
        onCommit.run();
        Set<CommittedStore> stores = open.get();
        if (stores.isEmpty()) return;
        try (WriteBatch batch = new WriteBatch()) {
            synchronized (database) {
                for (CommittedStore store : stores) store.addLogged(batch, ends);
                database.write(batch);
            }
        } catch (RocksDBException failure) {
            // The stores are behind now, and catch up when they are opened again.
            throw CommittedStore.failed("what has been committed could not be stored", failure);
        } finally {
            stores.clear();
        }
    }

    void aborted() {
        open.get().clear();
    }
}
