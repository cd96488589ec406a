package io.floodgate.standalone.broker.disk;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes logs to the disk for all who wait for that. While one sync is under way, others who wait gather; the next sync is
 * for all of them, and for all logs that have grown.
 *
 * <p>All logs, because they depend on each other: a decision on the disk relies on the record that was decided about, which
 * is in another log.
 */
public final class GroupSync implements AutoCloseable {
    /** A log's file, as far as it is of interest here. */
    interface SyncedLog {
        /** False if the log was deleted, and the other one has been made again under its name. */
        boolean isSame(@Nullable SyncedLog other);

        /** The offset of the record that is appended next. */
        long end();

        /**
         * Writes all before the end to the disk.
         *
         * @param from all before this offset is on the disk
         */
        void sync(long from) throws IOException;
    }

    private static final Logger LOG = LoggerFactory.getLogger(GroupSync.class);

    /** A disk takes several files at the same time in little more than the time of one. */
    private static final int THREADS = 7;

    /** A log that has not grown for this time is left out, until it grows again. An append takes less. */
    private static final long IDLE_NANOS = Duration.ofSeconds(30).toNanos();

    private static final long RECORD_NANOS = Duration.ofSeconds(1).toNanos();

    private static final long SLOW_NANOS = Duration.ofSeconds(1).toNanos();

    private final Function<TopicPartition, @Nullable SyncedLog> logs;
    private final Consumer<IOException> failed;
    private final Consumer<Map<TopicPartition, Long>> record;
    /** How far each log is on the disk. Only who has the turn uses it. */
    private final Map<TopicPartition, Long> ends;

    private boolean isRecorded = true;
    private long recordedAt;
    private final Map<TopicPartition, Entry> entries = new ConcurrentHashMap<>();
    /** What waits for a sync of everything; guarded by itself. */
    private final List<Runnable> waiting = new ArrayList<>();

    private final ExecutorService helpers;
    private final Thread thread;
    /** Held by the thread that syncs. */
    private final ReentrantLock turn = new ReentrantLock();
    /** How many wait. */
    private final AtomicInteger pending = new AtomicInteger();

    private final LongAdder syncs = new LongAdder();
    private final LongAdder nanos = new LongAdder();
    private volatile boolean isWanted;
    private boolean isFailed;
    private volatile boolean isClosed;

    /** A log, and those who wait for it. */
    private static final class Entry {
        private final TopicPartition partition;
        private final Deque<Waiter> waiters = new ArrayDeque<>();
        /** The end of what is on the disk, of this log. */
        private long synced;

        private @Nullable SyncedLog log;
        private volatile long grewAt = System.nanoTime();

        private Entry(TopicPartition partition) {
            this.partition = partition;
        }
    }

    /** @param end of what has to be on the disk */
    private record Waiter(long end, Runnable action) {}

    /** @param log that has grown up to the end */
    private record Grown(Entry entry, SyncedLog log, long end) {}

    /**
     * @param logs returns the log of a partition, if there is one
     * @param ends how far each log was on the disk when the broker ended
     * @param record is called from time to time with how far each log is on the disk now
     * @param failed is called once, when the disk has not taken what it should: nothing is acknowledged then
     */
    GroupSync(
            Function<TopicPartition, @Nullable SyncedLog> logs,
            Map<TopicPartition, Long> ends,
            Consumer<Map<TopicPartition, Long>> record,
            Consumer<IOException> failed) {
        this.logs = logs;
        this.ends = new HashMap<>(ends);
        this.record = record;
        this.failed = failed;
        ThreadFactory threads =
                Thread.ofPlatform().name("floodgate-sync-", 1).daemon().factory();
        ThreadPoolExecutor pool =
                new ThreadPoolExecutor(THREADS, THREADS, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), threads);
        pool.allowCoreThreadTimeOut(true);
        helpers = pool;
        thread = Thread.ofPlatform().name("floodgate-sync").daemon().start(this::run);
    }

    /** Notes that the log will grow: from now on, each sync is for it, too. To be called before the append. */
    void grows(TopicPartition partition) {
        entries.compute(partition, (same, known) -> {
            Entry entry = known == null ? new Entry(same) : known;
            entry.grewAt = System.nanoTime();
            return entry;
        });
    }

    /** Runs the action once everything that is appended by now, to whatever log, is on the disk. */
    void whenAllIsOnDisk(Runnable action) {
        pending.incrementAndGet();
        synchronized (waiting) {
            waiting.add(action);
        }
        want();
    }

    /**
     * Runs the action once a log is on the disk up to an offset: at once, if it is, else on the thread of the syncs. Actions
     * for one log run in the order in which they were given.
     *
     * @param end the offset behind the last record that has to be there
     */
    public void whenOnDisk(TopicPartition partition, long end, Runnable action) {
        Entry entry = entries.computeIfAbsent(partition, Entry::new);
        boolean isThere;
        synchronized (entry) {
            isThere = entry.synced >= end && entry.waiters.isEmpty();
            if (!isThere) {
                pending.incrementAndGet();
                entry.waiters.add(new Waiter(end, action));
            }
        }
        if (isThere) action.run();
        else want();
    }

    /** The same for several logs, each up to its end. */
    void whenOnDisk(Map<TopicPartition, Long> ends, Runnable action) {
        AtomicInteger left = new AtomicInteger(ends.size() + 1);
        Runnable one = () -> {
            if (left.decrementAndGet() == 0) action.run();
        };
        ends.forEach((partition, end) -> whenOnDisk(partition, end, one));
        one.run();
    }

    private void want() {
        isWanted = true;
        if (!turn.isLocked()) LockSupport.unpark(thread);
    }

    /**
     * Takes the turn to sync, if it is free: a thread that is about to append syncs what it has appended itself, which
     * saves the call of another one.
     */
    public boolean take() {
        return turn.tryLock();
    }

    /** Syncs for all who wait, and gives the turn back. */
    public void syncAndGiveBack() {
        try {
            isWanted = false;
            sync();
        } finally {
            turn.unlock();
        }
        // Those who have come meanwhile have not called the thread, and may have been served.
        if (isWanted && pending.get() > 0) LockSupport.unpark(thread);
    }

    private void run() {
        while (!isClosed) {
            if (isWanted && pending.get() > 0) {
                turn.lock();
                syncAndGiveBack();
            } else LockSupport.parkNanos(this, RECORD_NANOS);
            if (System.nanoTime() - recordedAt >= RECORD_NANOS) record();
        }
    }

    private void record() {
        recordedAt = System.nanoTime();
        turn.lock();
        try {
            if (!isRecorded && !isFailed) record.accept(Map.copyOf(ends));
            isRecorded = true;
        } finally {
            turn.unlock();
        }
    }

    private void sync() {
        if (isFailed) return;
        try {
            syncAll();
        } catch (IOException e) {
            isFailed = true;
            LOG.error("The disk has not taken what was written. Nothing more is acknowledged.", e);
            failed.accept(e);
        }
    }

    private void syncAll() throws IOException {
        // Before the logs are looked at: what these have appended, and what it depends on, is in them by now.
        List<Runnable> all = takeWaiting();
        List<Grown> grown = grown();
        if (!grown.isEmpty()) {
            long begun = System.nanoTime();
            write(grown);
            took(System.nanoTime() - begun);
        }
        for (Grown each : grown) {
            ends.put(each.entry.partition, each.end);
            isRecorded = false;
            tell(each.entry, each.end);
        }
        all.forEach(this::run);
    }

    private void took(long sync) {
        nanos.add(sync);
        syncs.increment();
        if (sync > SLOW_NANOS)
            LOG.warn("The disk took {} ms for a sync, which others wait for.", TimeUnit.NANOSECONDS.toMillis(sync));
    }

    /** How many syncs there were. */
    public long syncs() {
        return syncs.sum();
    }

    /** How long they took together. */
    public double nanos() {
        return nanos.sum();
    }

    private List<Runnable> takeWaiting() {
        synchronized (waiting) {
            List<Runnable> all = List.copyOf(waiting);
            waiting.clear();
            return all;
        }
    }

    private List<Grown> grown() {
        List<Grown> grown = new ArrayList<>();
        long now = System.nanoTime();
        for (Entry entry : entries.values()) {
            SyncedLog log = logs.apply(entry.partition);
            if (log == null || !log.isSame(entry.log)) isAnother(entry, log);
            if (log == null) continue;
            long end = log.end();
            if (end > entry.synced) grown.add(new Grown(entry, log, end));
            else {
                // An action that came while the ones before it ran has waited for these alone.
                tell(entry, end);
                if (now - entry.grewAt > IDLE_NANOS) forgetIfIdle(entry);
            }
        }
        return grown;
    }

    /** Of a log that was deleted, nothing can be lost. */
    private void isAnother(Entry entry, @Nullable SyncedLog log) {
        if (entry.log != null || log == null) tell(entry, Long.MAX_VALUE);
        synchronized (entry) {
            entry.log = log;
            entry.synced = 0;
        }
        ends.remove(entry.partition);
        if (log == null) forgetIfIdle(entry);
    }

    private void forgetIfIdle(Entry entry) {
        entries.computeIfPresent(entry.partition, (same, known) -> {
            synchronized (known) {
                return System.nanoTime() - known.grewAt > IDLE_NANOS && known.waiters.isEmpty() ? null : known;
            }
        });
    }

    private void write(List<Grown> grown) throws IOException {
        List<Future<@Nullable Void>> others = new ArrayList<>();
        for (Grown each : grown.subList(1, grown.size())) others.add(helpers.submit(written(each)));
        try {
            written(grown.getFirst()).call();
            for (Future<@Nullable Void> other : others) other.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException io ? io : new IOException(e.getCause());
        } catch (IOException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException(e);
        }
    }

    private Callable<@Nullable Void> written(Grown grown) {
        return () -> {
            try {
                grown.log.sync(grown.entry.synced);
            } catch (ClosedChannelException e) {
                // As those of a log that is deleted meanwhile. Another failure is not tried again: Linux reports it
                // once.
                SyncedLog now = logs.apply(grown.entry.partition);
                if (grown.log.isSame(now)) throw e;
            }
            return null;
        };
    }

    private void tell(Entry entry, long end) {
        List<Runnable> ready;
        synchronized (entry) {
            entry.synced = end;
            if (entry.waiters.isEmpty()) return;
            ready = new ArrayList<>();
            for (Waiter waiter : entry.waiters) {
                if (waiter.end > end) break;
                ready.add(waiter.action);
            }
        }
        ready.forEach(this::run);
        // Until now they are there: an action that comes meanwhile waits for them.
        synchronized (entry) {
            for (int i = 0; i < ready.size(); i++) entry.waiters.remove();
        }
    }

    private void run(Runnable action) {
        pending.decrementAndGet();
        try {
            action.run();
        } catch (RuntimeException defect) {
            LOG.error("What had waited for the disk has failed.", defect);
        }
    }

    /** Syncs what is there, for the last time, and runs all actions that wait. */
    @Override
    public void close() {
        isClosed = true;
        LockSupport.unpark(thread);
        turn.lock();
        syncAndGiveBack();
        record();
        helpers.shutdown();
    }
}
