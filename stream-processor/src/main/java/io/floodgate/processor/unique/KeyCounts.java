package io.floodgate.processor.unique;

import io.floodgate.processor.kernel.Undo;
import org.jspecify.annotations.Nullable;

/**
 * The number of entries of keys that begin with the same bits: most have none, and need not be looked up. A count that
 * was too high for a byte stays there.
 */
final class KeyCounts {
    private static final int BITS_LOOKED_AT = 24;
    private static final int DIGITS_LOOKED_AT = 6;
    private static final int RADIX = 16;

    private final Undo undo;
    private final int bits;

    /** Null before the first entry. */
    private byte @Nullable [] counts;

    private int all;
    private boolean isUnknown;

    /** @param bits at the begin of a key that are looked at; each more doubles the memory */
    KeyCounts(Undo undo, int bits) {
        this.undo = undo;
        this.bits = bits;
    }

    private int placeOf(String fingerprint) {
        return Integer.parseInt(fingerprint, 0, DIGITS_LOOKED_AT, RADIX) >>> (BITS_LOOKED_AT - bits);
    }

    private int placeOf(byte[] key) {
        int first = (key[0] & 0xff) << 16 | (key[1] & 0xff) << 8 | (key[2] & 0xff);
        return first >>> (BITS_LOOKED_AT - bits);
    }

    int all() {
        return all;
    }

    /** Returns false if the key has no entry for certain. */
    boolean mayHave(String fingerprint) {
        return mayHave(placeOf(fingerprint));
    }

    boolean mayHave(byte[] key) {
        return mayHave(placeOf(key));
    }

    private boolean mayHave(int place) {
        return isUnknown || (counts != null && counts[place] > 0);
    }

    void add(String fingerprint, int by) {
        add(placeOf(fingerprint), by);
    }

    void add(byte[] key, int by) {
        add(placeOf(key), by);
    }

    /** Counts entries while the partition opens, when no step could be taken back. */
    void found(byte[] key, int entries) {
        addAt(placeOf(key), entries);
    }

    private void add(int place, int by) {
        addAt(place, by);
        undo.by(() -> addAt(place, -by));
    }

    private void addAt(int place, int by) {
        all += by;
        if (isUnknown) return;
        if (counts == null) counts = new byte[1 << bits];
        if (counts[place] < Byte.MAX_VALUE) counts[place] = (byte) Math.min(counts[place] + by, Byte.MAX_VALUE);
    }

    /** Stops counting, since there are too many entries: each key may have some, until there are none. */
    void giveUp() {
        isUnknown = true;
        counts = null;
    }

    void clear() {
        byte[] before = counts;
        int allBefore = all;
        boolean wasUnknown = isUnknown;
        counts = null;
        all = 0;
        isUnknown = false;
        undo.by(() -> {
            counts = before;
            all = allBefore;
            isUnknown = wasUnknown;
        });
    }
}
