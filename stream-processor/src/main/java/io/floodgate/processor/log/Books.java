package io.floodgate.processor.log;

import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import io.floodgate.processor.store.KeyValues;
import io.floodgate.processor.store.Keys;
import java.time.Instant;

/** The log's own books: its time, which never goes back, and the numbers it has given out. */
final class Books {
    private static final int VERSION = 1;

    private final KeyValues entities;
    private final byte[] key;
    private Instant clock = Instant.EPOCH;
    private long numbers;

    Books(KeyValues entities, Keys keys) {
        this.entities = entities;
        this.key = keys.books();
    }

    void load() {
        byte[] stored = entities.get(key);
        clock = Instant.EPOCH;
        numbers = 0;
        if (stored == null) return;
        BinaryIn in = new BinaryIn(stored);
        in.version(VERSION, () -> "the books of a log");
        clock = in.time();
        numbers = in.number();
    }

    /** The time of a record: the broker's clock, unless that has stepped back. */
    Instant advance(Instant appended) {
        if (appended.isAfter(clock)) clock = appended;
        return clock;
    }

    Instant clock() {
        return clock;
    }

    /** A number never given out before: for parked fetches and batches. */
    long nextNumber() {
        return ++numbers;
    }

    void save() {
        entities.put(
                key, new BinaryOut().u8(VERSION).time(clock).number(numbers).toBytes());
    }
}
