package io.floodgate.processor.unique;

import io.floodgate.processor.kernel.PartitionContext;
import io.floodgate.processor.kernel.Timers;
import io.floodgate.processor.kernel.Timers.Timer;
import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import io.floodgate.processor.store.KeyValues;
import io.floodgate.processor.store.Keys;
import io.floodgate.topics.JobId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The jobs that have the keys whose home is here, and those that have ended and are remembered. */
final class KeyRows {
    /** Most unique jobs of a partition: beyond these, no new one comes in, since it could not be checked. */
    static final long MOST = 1_000_000;

    /** Most jobs of one key, since all of them are looked at. There are many only if policies name few states. */
    static final int MOST_OF_KEY = 100;

    /**
     * Bits of a key that are counted: a mebibyte, which shows for most keys that no job has them while jobs have
     * 100,000 others.
     */
    private static final int COUNTED_BITS = 20;

    /** Most keys that are counted: with more, a partition would take long to open. */
    private static final long MOST_COUNTED = 200_000;

    private static final int VERSION = 1;
    private static final int FORGOTTEN_AT_ONCE = 200;
    private static final long MINUTE_MS = 60_000;

    private final KeyValues entities;
    private final Timers timers;
    private final KeyCounts known;
    private final KeyShares shares;
    private long count;
    private boolean changed;

    /** The key that was asked for last, with its rows: it is asked for again when its job comes in. */
    private byte[] lastKey = {};

    private List<KeyRow> lastRows = List.of();

    KeyRows(PartitionContext context) {
        entities = context.entities();
        timers = context.timers();
        shares = new KeyShares(entities);
        known = new KeyCounts(context.undo(), COUNTED_BITS);
    }

    static byte[] bytes(String fingerprint) {
        return HexFormat.of().parseHex(fingerprint);
    }

    long count() {
        return count;
    }

    /** Returns whether no other job of these callers comes in. */
    boolean isShareTaken(@Nullable String space) {
        return shares.isFull(space);
    }

    /** Newest first. */
    List<KeyRow> of(String fingerprint) {
        List<KeyRow> rows = read(bytes(fingerprint));
        // mutant: key-newest-first
        rows.sort(Comparator.comparingLong(KeyRow::number).reversed());
        return rows;
    }

    /** Keys that jobs have, in order, from behind this one on. */
    List<String> page(@Nullable String after, int most) {
        byte[] all = Keys.allKeyRows();
        byte[] last = after == null ? null : Keys.keyRows(bytes(after));
        byte[] from = last == null ? all : Arrays.copyOf(last, last.length + 1);
        List<String> keys = new ArrayList<>();
        entities.scan(from, Keys.after(all), (key, value) -> {
            keys.add(HexFormat.of().formatHex(key, all.length, key.length));
            return keys.size() < most;
        });
        return keys;
    }

    @Nullable
    KeyRow find(String fingerprint, JobId job) {
        for (KeyRow row : read(bytes(fingerprint))) if (row.job().equals(job)) return row;
        return null;
    }

    void put(String fingerprint, KeyRow row) {
        byte[] key = bytes(fingerprint);
        List<KeyRow> rows = read(key);
        if (rows.isEmpty()) {
            rows.add(row);
            entities.putNew(Keys.keyRows(key), bytes(rows));
            // mutant: key-known
            known.add(key, 1);
            remember(key, rows);
        } else {
            take(key, rows, row.job());
            if (rows.size() >= MOST_OF_KEY) forgetOldestEnded(key, rows);
            rows.add(row);
            write(key, rows);
        }
        count(row, 1);
        Instant until = row.until();
        if (row.ended() == null || until == null) return;
        entities.put(Keys.keyUntil(until.toEpochMilli(), key, row.job()), new byte[0]);
        countOfMinute(until, 1);
    }

    /** A job that replaces what has ended comes although there are many rows. */
    private void forgetOldestEnded(byte[] key, List<KeyRow> rows) {
        rows.stream()
                .filter(row -> row.ended() != null)
                .min(Comparator.comparingLong(KeyRow::number))
                .ifPresent(oldest -> take(key, rows, oldest.job()));
    }

    void remove(String fingerprint, JobId job) {
        remove(bytes(fingerprint), job);
    }

    private void remove(byte[] key, JobId job) {
        List<KeyRow> rows = read(key);
        if (take(key, rows, job)) write(key, rows);
    }

    private boolean take(byte[] key, List<KeyRow> rows, JobId job) {
        for (KeyRow row : rows) {
            if (!row.job().equals(job)) continue;
            rows.remove(row);
            count(row, -1);
            Instant until = row.until();
            if (row.ended() == null || until == null) return true;
            entities.delete(Keys.keyUntil(until.toEpochMilli(), key, job));
            countOfMinute(until, -1);
            return true;
        }
        return false;
    }

    private List<KeyRow> read(byte[] key) {
        if (Arrays.equals(key, lastKey)) return new ArrayList<>(lastRows);
        List<KeyRow> rows = new ArrayList<>();
        if (!known.mayHave(key)) return rows;
        byte[] stored = entities.get(Keys.keyRows(key));
        if (stored != null) {
            BinaryIn in = new BinaryIn(stored);
            in.version(VERSION, () -> "the jobs of a key");
            for (int i = in.integer(); i > 0; i--) rows.add(KeyRow.read(in));
        }
        remember(key, rows);
        return rows;
    }

    private void remember(byte[] key, List<KeyRow> rows) {
        lastKey = key;
        lastRows = List.copyOf(rows);
    }

    private void write(byte[] key, List<KeyRow> rows) {
        remember(key, rows);
        if (rows.isEmpty()) {
            entities.delete(Keys.keyRows(key));
            known.add(key, -1);
            return;
        }
        entities.put(Keys.keyRows(key), bytes(rows));
    }

    private static byte[] bytes(List<KeyRow> rows) {
        BinaryOut out = new BinaryOut().u8(VERSION).number(rows.size());
        rows.forEach(row -> row.write(out));
        return out.toBytes();
    }

    private void count(KeyRow row, int by) {
        count += by;
        shares.add(row.space(), by);
        changed = true;
    }

    /** A minute has one timer for all that is to be forgotten in it. */
    private void countOfMinute(Instant until, int by) {
        long minute = Math.ceilDiv(until.toEpochMilli(), MINUTE_MS) * MINUTE_MS;
        byte[] key = Keys.keysOfMinute(minute);
        byte[] stored = entities.get(key);
        long now = (stored == null ? 0 : new BinaryIn(stored).number()) + by;
        Timer timer = Timer.key(Instant.ofEpochMilli(minute), "");
        if (now > 0) {
            entities.put(key, new BinaryOut().number(now).toBytes());
            timers.set(timer);
        } else {
            entities.delete(key);
            timers.cancel(timer);
        }
    }

    void read() {
        readCount();
        countKeys();
        byte[] prefix = Keys.allKeysOfMinutes();
        entities.scan(prefix, Keys.after(prefix), (key, value) -> {
            timers.set(Timer.key(Instant.ofEpochMilli(Keys.numberAtEnd(key)), ""));
            return true;
        });
    }

    private void countKeys() {
        known.clear();
        if (count > MOST_COUNTED) {
            known.giveUp();
            return;
        }
        byte[] all = Keys.allKeyRows();
        entities.scan(all, Keys.after(all), (key, value) -> {
            known.found(Keys.fingerprintAtEnd(key), 1);
            return true;
        });
    }

    boolean forgetDue(Timer timer) {
        if (timer.kind() != Timers.Kind.KEY || !timer.name().isEmpty()) return false;
        List<byte[]> due = new ArrayList<>();
        long now = timer.at().toEpochMilli();
        byte[] prefix = Keys.allKeyUntil();
        entities.scan(prefix, Keys.after(prefix), (key, value) -> {
            boolean isDue = Keys.pruneTime(key) <= now;
            if (isDue) due.add(key);
            return isDue && due.size() < FORGOTTEN_AT_ONCE;
        });
        for (byte[] key : due) remove(Keys.fingerprintIn(key), Keys.jobAtEnd(key));
        if (due.size() == FORGOTTEN_AT_ONCE && entities.get(Keys.keysOfMinute(now)) != null) timers.set(timer);
        return true;
    }

    void write() {
        if (!changed) return;
        entities.put(Keys.keyCount(), new BinaryOut().number(count).toBytes());
        changed = false;
    }

    void readCount() {
        byte[] stored = entities.get(Keys.keyCount());
        count = stored == null ? 0 : new BinaryIn(stored).number();
        changed = false;
        lastKey = new byte[0];
    }

    boolean forgetSome(int most) {
        lastKey = new byte[0];
        int left = most;
        for (byte[] kind : List.of(
                Keys.allKeyRows(),
                Keys.allKeyUntil(),
                Keys.allKeysOfMinutes(),
                Keys.allKeyOwners(),
                Keys.allKeysWaiting())) {
            List<byte[]> some = new ArrayList<>();
            int wanted = left;
            entities.scan(kind, Keys.after(kind), (key, value) -> {
                some.add(key);
                return some.size() < wanted;
            });
            some.forEach(entities::delete);
            left -= some.size();
            if (left <= 0) return false;
        }
        if (shares.forgetSome(left) >= left) return false;
        timers.cancelAll(Timers.Kind.KEY, "");
        known.clear();
        count = 0;
        changed = entities.get(Keys.keyCount()) != null;
        return true;
    }
}
